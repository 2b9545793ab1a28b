import { readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { nestor } from '../../../test/support/recorded-terminal.js';

describe('the command line', () => {
  it.each(['-h', '--help'])('%s shows the commands and the exit codes', async (flag) => {
    const { code, stdout, stderr } = await nestor([flag]);
    expect([code, stderr]).toEqual([0, '']);
    for (const text of ['check', 'fmt', 'metadata', 'schema', 'Exit codes:']) expect(stdout).toContain(text);
    expect(stdout.split('\n').length).toBeLessThan(20);
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(115);
  });

  it.each(['check', 'fmt', 'metadata', 'schema'])('%s --help shows its options', async (command) => {
    const { code, stdout } = await nestor([command, '--help']);
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`^Usage: nestor ${command} \\[options\\]`));
  });

  it.each(['-v', '--version'])('%s shows the version of the package', async (flag) => {
    const file = new URL('../package.json', import.meta.url);
    const { version } = JSON.parse(readFileSync(file, 'utf8'));
    expect(await nestor([flag])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  it.each([
    [[], /^Usage: nestor/],
    [['chek', 'x'], /^error: unknown command 'chek'\n\(Did you mean check\?\)\n$/],
    [['check'], /^error: missing required argument 'patterns'\n$/],
    [['check', 'x', '--jsn'], /^error: unknown option '--jsn'\n\(Did you mean --json\?\)\n$/],
    [['schema', 'a', 'b'], /^error: too many arguments for 'schema'/],
    [
      ['metadata'],
      /^nestor: Give either the built file of the root module, or --url of a running application\.\n$/,
    ],
    [['metadata', 'x.js', '--url', 'http://x'], /^nestor: Give either /],
    [['fmt', '-', 'a.agent'], /^nestor: - stands for stdin alone: name no files beside it\.\n$/],
    [['schema', 'none.agent'], /^nestor: Cannot read none\.agent: ENOENT[^\n]*\n$/],
    [['check', 'none.agent'], /^nestor: No \.agent or \.bloge file fits "none\.agent"[^\n]*\n$/],
    [['metadata', 'none.js'], /^nestor: There is no file none\.js\. Build the application first\.\n$/],
    [
      ['metadata', import.meta.filename],
      /^nestor: .*program\.spec\.ts is TypeScript\. Build the application[^\n]*\n$/,
    ],
  ])('%j ends with 2 and says why on stderr', async (args, message) => {
    const { code, stdout, stderr } = await nestor(args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(message);
  });

  it('is a command that npm can link before anything is built', () => {
    const { bin } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
    const file = new URL(`../${bin.nestor}`, import.meta.url);
    expect(readFileSync(file, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
    expect(statSync(file).mode & 0o111).toBe(0o111);
  });
});
