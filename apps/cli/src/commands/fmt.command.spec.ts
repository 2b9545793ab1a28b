import { readFile, stat } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { nestor, RecordedTerminal } from '../../../../test/support/recorded-terminal.js';
import { TemporaryFolder } from '../../../../test/support/temporary-folder.js';

const ROUGH = 'agent a{model="m"\n\n\n max_turns=3 // few\n}';
const NEAT = 'agent a {\n  model = "m"\n\n  max_turns = 3 // few\n}\n';
const BROKEN = 'agent a {\n  model =\n}\n';

describe('nestor fmt', () => {
  const folder = new TemporaryFolder();

  it('formats in place what is not formatted, once', async () => {
    const rough = await folder.write('rough.agent', ROUGH);
    const neat = await folder.write('neat.agent', NEAT);
    const { ino } = await stat(neat);
    expect(await nestor(['fmt', folder.path])).toEqual({
      code: 0,
      stdout: `${rough}\n`,
      stderr: '1 of 2 files formatted\n',
    });
    expect(await readFile(rough, 'utf8')).toBe(NEAT);
    expect((await stat(neat)).ino).toBe(ino);
    expect(await nestor(['fmt', folder.path])).toMatchObject({ code: 0, stdout: '' });
  });

  it('only tells with --check', async () => {
    const rough = await folder.write('rough.agent', ROUGH);
    await folder.write('neat.agent', NEAT);
    expect(await nestor(['fmt', '--check', folder.path])).toEqual({
      code: 1,
      stdout: `${rough}\n`,
      stderr: '1 of 2 files to be formatted\n',
    });
    expect(await readFile(rough, 'utf8')).toBe(ROUGH);
    await nestor(['fmt', rough]);
    expect(await nestor(['fmt', '--check', folder.path])).toMatchObject({ code: 0, stdout: '' });
  });

  it('leaves a file with syntax errors, says what they are, and formats the others', async () => {
    const broken = await folder.write('broken.agent', BROKEN);
    const rough = await folder.write('rough.agent', ROUGH);
    const { code, stdout, stderr } = await nestor(['fmt', folder.path]);
    expect([code, stdout]).toEqual([1, `${rough}\n`]);
    expect(stderr).toContain(`${broken}:2:`);
    expect(await readFile(broken, 'utf8')).toBe(BROKEN);
    expect(await readFile(rough, 'utf8')).toBe(NEAT);
  });

  it.each([
    ['CRLF', NEAT.replaceAll('\n', '\r\n')],
    ['a byte order mark', `\uFEFF${NEAT}`],
  ])('takes away %s', async (_, text) => {
    const path = await folder.write('a.agent', text);
    expect(await nestor(['fmt', '--check', path])).toMatchObject({ code: 1 });
    await nestor(['fmt', path]);
    expect(await readFile(path, 'utf8')).toBe(NEAT);
    expect(await nestor(['fmt', '--check', path])).toMatchObject({ code: 0 });
  });

  it('formats stdin to stdout', async () => {
    const format = (input: string, ...flags: string[]) =>
      nestor(['fmt', '-', ...flags], new RecordedTerminal({ input }));
    expect(await format(ROUGH)).toEqual({ code: 0, stdout: NEAT, stderr: '' });
    expect(await format(ROUGH, '--check')).toEqual({ code: 1, stdout: 'stdin\n', stderr: '' });
    expect(await format(NEAT, '--check')).toEqual({ code: 0, stdout: '', stderr: '' });
    const broken = await format(BROKEN);
    expect([broken.code, broken.stdout]).toEqual([1, '']);
    expect(broken.stderr).toMatch(/^stdin:2:/);
  });
});
