import { chmod, lstat, mkdir, readdir, readFile, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TemporaryFolder } from '../../../../test/support/temporary-folder.js';
import { CliError } from '../cli.error.js';
import { replaceFile } from './replace-file.js';

describe('replaceFile', () => {
  const folder = new TemporaryFolder();

  it('writes a new file', async () => {
    const path = join(folder.path, 'new.json');
    await replaceFile(path, 'text');
    expect(await readFile(path, 'utf8')).toBe('text');
    expect(await readdir(folder.path)).toEqual(['new.json']);
  });

  it.each([0o600, 0o640, 0o755, 0o666])('keeps mode %o, and leaves nothing beside the file', async (mode) => {
    const path = await folder.write('a.agent', 'old');
    await chmod(path, mode);
    await replaceFile(path, 'new');
    expect(await readFile(path, 'utf8')).toBe('new');
    expect((await stat(path)).mode & 0o7777).toBe(mode);
    expect(await readdir(folder.path)).toEqual(['a.agent']);
  });

  it('puts another file in its place: whoever has it open reads the old text on', async () => {
    const path = await folder.write('a.agent', 'old');
    const { ino } = await stat(path);
    await replaceFile(path, 'new');
    expect((await stat(path)).ino).not.toBe(ino);
  });

  it('writes the file that a link points at', async () => {
    const target = await folder.write('real/a.agent', 'old');
    const link = join(folder.path, 'link.agent');
    await symlink(target, link);
    await replaceFile(link, 'new');
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
    expect(await readFile(target, 'utf8')).toBe('new');
  });

  it('takes a name as long as names can be', async () => {
    const path = await folder.write(`${'a'.repeat(249)}.agent`, 'old');
    await replaceFile(path, 'new');
    expect(await readFile(path, 'utf8')).toBe('new');
  });

  it('says that it cannot write, and leaves nothing behind', async () => {
    const path = join(folder.path, 'folder');
    await mkdir(join(path, 'full'), { recursive: true });
    await expect(replaceFile(path, 'new')).rejects.toThrow(CliError);
    await expect(replaceFile(join(folder.path, 'none/a.json'), 'new')).rejects.toThrow(
      /^Cannot write .*none\/a\.json: ENOENT/,
    );
    expect(await readdir(folder.path)).toEqual(['folder']);
  });
});
