import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile, rm } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildCli, type BuiltCli } from '../support/cli-build.js';
import { TemporaryFolder } from '../support/temporary-folder.js';

/** More than pipes and sockets hold. */
const LONG = `${`/// ${'c'.repeat(1_000)}\n`.repeat(2_000)}agent a {\n  model = "m"\n}\n`;

/** In the child: any time that is waited for has passed, and a full pipe is told of on stderr. */
const FULL_PIPE = `
globalThis.setTimeout = (callback) => setImmediate(callback);
const look = () => {
  if (process.stdout.writableLength > 0) console.error('full');
  else setImmediate(look).unref();
};
setImmediate(look).unref();
`;

describe('what nestor writes', () => {
  let built: BuiltCli;
  const folder = new TemporaryFolder();
  beforeAll(async () => {
    built = await buildCli();
  }, 120_000);
  afterAll(() => rm(built.directory, { recursive: true, force: true }));

  const start = (
    command: readonly string[],
    stdio: ('pipe' | number)[] = ['pipe', 'pipe', 'pipe'],
    environment: Readonly<Record<string, string>> = {},
  ): ChildProcess => {
    const [program = '', ...args] = command;
    const env = { PATH: process.env['PATH'], ...environment };
    return spawn(program, args, { cwd: folder.path, env, stdio, timeout: 25_000, killSignal: 'SIGKILL' });
  };
  const nestor = (...args: string[]): string[] => [process.execPath, built.nestor, ...args];
  /** All streams are pipes unless a test says otherwise. */
  const piped = (child: ChildProcess) => {
    const { stdin, stdout, stderr } = child;
    if (!stdin || !stdout || !stderr) throw new Error('The child has no pipes.');
    return { stdin, stdout, stderr };
  };

  it('reaches a reader that takes its time', async () => {
    const environment = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(FULL_PIPE)}` };
    const child = start(nestor('fmt', '-'), undefined, environment);
    const { stdin, stdout, stderr } = piped(child);
    const closed = once(child, 'close');
    stdin.end(LONG);
    await Promise.race([once(stderr, 'data'), once(child, 'exit')]);
    expect((await text(stdout)).length).toBe(LONG.length);
    await closed;
    expect(child.exitCode).toBe(0);
  });

  it('ends quietly when its reader has had enough', async () => {
    const child = start(nestor('fmt', '-'));
    const { stdin, stdout, stderr } = piped(child);
    stdout.destroy();
    stdin.end(LONG);
    const [told] = await Promise.all([text(stderr), once(child, 'close')]);
    expect([child.exitCode, told]).toEqual([0, '']);
  });

  it.each([[['fmt', '-']], [['check', 'a.agent']], [['--help']]])(
    'ends with 2 and one line if it fits nowhere: %j',
    async (args) => {
      await folder.write('a.agent', LONG);
      const full = await open('/dev/full', 'w');
      try {
        const child = start(nestor(...args), ['pipe', full.fd, 'pipe']);
        child.stdin?.end(args.includes('-') ? LONG : '');
        const [told] = await Promise.all([child.stderr && text(child.stderr), once(child, 'close')]);
        expect([child.exitCode, told]).toEqual([
          2,
          'nestor: Cannot write to stdout: ENOSPC: no space left on device, write\n',
        ]);
      } finally {
        await full.close();
      }
    },
  );

  it('does not pass off half a file as a whole one', async () => {
    await folder.write('long.agent', LONG);
    // As on a disk that becomes full: the file takes less than what is written, and the signal is not deadly.
    const script = `trap '' XFSZ; ulimit -f 100; "$@" < long.agent > out.agent`;
    const child = start(['sh', '-c', script, 'sh', ...nestor('fmt', '-')]);
    const [told] = await Promise.all([text(piped(child).stderr), once(child, 'close')]);
    expect((await readFile(`${folder.path}/out.agent`, 'utf8')).length).toBeLessThan(LONG.length);
    expect(child.exitCode).toBe(2);
    expect(told).toMatch(/^nestor: Cannot write to stdout: EFBIG: [^\n]*\n$/);
  });
});
