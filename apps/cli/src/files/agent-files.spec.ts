import { execFileSync } from 'node:child_process';
import { linkSync } from 'node:fs';
import { mkdir, symlink, truncate, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TemporaryFolder } from '../../../../test/support/temporary-folder.js';
import { CliError } from '../cli.error.js';
import { readAgentFile, readAgentFiles } from './agent-files.js';

describe('readAgentFiles', () => {
  const folder = new TemporaryFolder();
  const found = async (...patterns: string[]): Promise<string[]> => {
    const files = await readAgentFiles(patterns.map((pattern) => join(folder.path, pattern)));
    return files.map(({ path }) => relative(folder.path, path));
  };

  async function writeAll(...names: string[]): Promise<void> {
    for (const name of names) await folder.write(name, '');
  }

  it.each([
    [['*.agent'], ['a.agent', 'b.agent']],
    [['?.agent'], ['a.agent', 'b.agent']],
    [['{a,c}.*'], ['a.agent', 'c.bloge']],
    [['**/*.agent'], ['a.agent', 'b.agent', 'deep/er/d.agent']],
    [['deep'], ['deep/er/d.agent']],
    [['deep/'], ['deep/er/d.agent']],
    [['node_modules/x'], ['node_modules/x/e.agent']],
    [['.'], ['a.agent', 'b.agent', 'c.bloge', 'deep/er/d.agent']],
    [['**'], ['a.agent', 'b.agent', 'c.bloge', 'deep/er/d.agent']],
    [
      ['b.agent', 'a.agent', '[ab].agent', './x/../b.agent'],
      ['a.agent', 'b.agent'],
    ],
  ])('finds the files of %j, once each and in order', async (patterns, expected) => {
    await writeAll('a.agent', 'b.agent', 'c.bloge', 'note.md', 'deep/er/d.agent', 'node_modules/x/e.agent');
    expect(await found(...patterns)).toEqual(expected);
  });

  it('takes the name of a file or folder as it is, whatever signs it holds', async () => {
    await writeAll('[draft].agent', 'd.agent', '(old)/*/e.agent', '(old)/f.agent');
    expect(await found('[draft].agent')).toEqual(['[draft].agent']);
    expect(await found('(old)/*')).toEqual(['(old)/*/e.agent']);
  });

  it.each(['.', '**/*.agent'])(
    'takes a file once, by its own path, however many links lead to it: %s',
    async (pattern) => {
      await writeAll('a.agent', 'z/b.agent');
      await symlink('..', join(folder.path, 'z/up'));
      await symlink('z', join(folder.path, 'also-z'));
      await symlink('a.agent', join(folder.path, '0.agent'));
      await symlink('none', join(folder.path, 'nowhere.agent'));
      expect(await found(pattern)).toEqual(['a.agent', 'z/b.agent']);
      expect(await found('z/up/0.agent')).toEqual(['z/up/0.agent']);
    },
  );

  it('follows links to elsewhere', async () => {
    await writeAll('real/a.agent', 'real/.hidden/b.agent', 'real/node_modules/c.agent');
    await mkdir(join(folder.path, 'x'));
    await symlink('../real', join(folder.path, 'x/link'));
    expect(await found('x')).toEqual(['x/link/a.agent']);
  });

  it('finds a file with a line break in its name in its folder', async () => {
    await writeAll('new\nline.agent');
    expect(await found('.')).toEqual(['new\nline.agent']);
  });

  it('refuses more files than anybody has agents', async () => {
    await mkdir(join(folder.path, 'many'));
    const source = await folder.write('source', '');
    for (let index = 0; index <= 10_000; index++) linkSync(source, join(folder.path, `many/${index}.agent`));
    for (const pattern of ['many', '*/*.agent']) {
      await expect(readAgentFiles([join(folder.path, pattern)])).rejects.toThrow(
        new CliError(
          `"${join(folder.path, pattern)}" holds more than 10000 agent files. Name the folders where your agents are, or a pattern.`,
        ),
      );
    }
  });

  it.each([
    ['a pipe', 'it is no regular file', async (path: string) => void execFileSync('mkfifo', [path])],
    ['a device', 'it is no regular file', (path: string) => symlink('/dev/zero', path)],
    [
      'too large',
      'it has 6291456 bytes, and may have 5242880',
      async (path: string) => {
        await writeFile(path, '');
        await truncate(path, 6 * 2 ** 20);
      },
    ],
  ])('does not read what is %s', async (_, problem, make) => {
    const path = join(folder.path, 'a.agent');
    await make(path);
    const error = new CliError(`Cannot read ${path}: ${problem}`);
    await expect(readAgentFiles([path])).rejects.toThrow(error);
    await expect(readAgentFile(path)).rejects.toThrow(error);
  });

  it('keeps relative paths relative', async () => {
    const path = relative(process.cwd(), await folder.write('a.agent', 'x'));
    expect(await readAgentFiles([path])).toEqual([{ path, source: 'x' }]);
  });

  it.each(['none.agent', 'x/*.agent', 'empty', 'note.md', ''])(
    'says that no file fits "%s"',
    async (pattern) => {
      await writeAll('a.agent', 'note.md');
      await mkdir(join(folder.path, 'empty'));
      const path = pattern && join(folder.path, pattern);
      await expect(readAgentFiles([join(folder.path, 'a.agent'), path])).rejects.toThrow(
        new CliError(
          `No .agent or .bloge file fits "${path}"; it was looked for from ${process.cwd()} on. Correct the path or pattern.`,
        ),
      );
    },
  );

  it('keeps a byte order mark and line ends', async () => {
    const source = '\uFEFFagent a {\r\n}\r';
    const path = await folder.write('a.agent', source);
    expect(await readAgentFiles([path])).toEqual([{ path, source }]);
  });

  it('refuses bytes that are no UTF-8', async () => {
    const path = await folder.write('a.agent', Buffer.from('agent caf\u00e9 {}', 'latin1'));
    await expect(readAgentFiles([path])).rejects.toThrow(
      new CliError(`${path} is not UTF-8 text. Save it as UTF-8.`),
    );
  });
});
