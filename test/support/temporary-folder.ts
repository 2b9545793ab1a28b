import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';

/** A folder of its own for each test of the file or block. */
export class TemporaryFolder {
  path = '';

  constructor() {
    beforeEach(async () => {
      this.path = await mkdtemp(join(tmpdir(), 'nestor-'));
    });
    afterEach(() => rm(this.path, { recursive: true, force: true }));
  }

  /** Writes a file, with the folders above it, and gives its path. */
  async write(name: string, content: string | Uint8Array): Promise<string> {
    const path = join(this.path, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
    return path;
  }
}
