import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildCli, type BuiltCli } from '../support/cli-build.js';
import { RuntimeProcess } from '../support/runtime-process.js';
import { TemporaryFolder } from '../support/temporary-folder.js';

const EXAMPLES = fileURLToPath(new URL('../../libs/core/src/language/examples/', import.meta.url));
const THREE_MISTAKES = `agent support {
  modle = "gpt-4o"
  max_turns = -3
  tool search : Search {
    input { query = tool_arg.query }
  }
}
`;

interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Report {
  readonly diagnostics: readonly { readonly code: string }[];
}

describe('nestor, in a process of its own', () => {
  let built: BuiltCli;
  const folder = new TemporaryFolder();
  beforeAll(async () => {
    built = await buildCli();
  }, 120_000);
  afterAll(() => rm(built.directory, { recursive: true, force: true }));

  async function nestor(
    args: readonly string[],
    { input = '', environment = {} }: { input?: string; environment?: Readonly<Record<string, string>> } = {},
  ): Promise<Outcome> {
    const child = spawn(process.execPath, [built.nestor, ...args], {
      cwd: folder.path,
      env: { PATH: process.env['PATH'], ...environment },
      // Less than a test may take: one that hangs is left nowhere.
      timeout: 25_000,
      killSignal: 'SIGKILL',
    });
    child.stdin.end(input);
    const [stdout, stderr] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ]);
    return { code: child.exitCode, stdout, stderr };
  }

  it('check prints each of three mistakes with its caret and remedy', async () => {
    await folder.write('agents/support.agent', THREE_MISTAKES);
    await cp(join(EXAMPLES, 'worked-example.agent'), join(folder.path, 'agents/worked-example.agent'));
    const { code, stdout, stderr } = await nestor(['check', 'agents/*.agent']);
    expect([code, stderr]).toEqual([1, '']);
    expect(stdout.match(/^agents\/support\.agent:\d+:\d+ error\[/gm)).toHaveLength(3);
    expect(stdout.match(/^ +\| +\^+$/gm)?.length).toBeGreaterThanOrEqual(3);
    expect(stdout).toContain('hint: did you mean "model"?');
    expect(stdout).toContain('hint: did you mean "tool_args"?');
    expect(stdout).toMatch(/\n\n3 errors in 1 of 2 files\n$/);
    expect(stdout).not.toContain('\u001b');
  });

  it('check gives the same to programs', async () => {
    await folder.write('support.agent', THREE_MISTAKES);
    const { code, stdout, stderr } = await nestor(['check', '--json', 'support.agent']);
    expect([code, stderr]).toEqual([1, '']);
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({ errors: 3, warnings: 0, files: [{ file: 'support.agent' }] });
    expect(report.files[0].diagnostics.map(({ line }: { line: number }) => line)).toEqual([2, 3, 5]);
  });

  it('check and fmt take every example of the language', async () => {
    await cp(EXAMPLES, folder.path, { recursive: true });
    const problems = async (): Promise<Set<string>> => {
      const { files } = JSON.parse((await nestor(['check', '--json', '**/*.agent'])).stdout);
      return new Set(files.flatMap(({ diagnostics }: Report) => diagnostics.map(({ code }) => code)));
    };
    // Each is a file of its own; some use a name that another uses too.
    expect(await problems()).toEqual(new Set(['duplicate-agent']));
    const first = await nestor(['fmt', '.']);
    expect([first.code, first.stdout.includes('crlf.agent')]).toEqual([0, true]);
    expect(await nestor(['fmt', '--check', '.'])).toMatchObject({ code: 0, stdout: '' });
    expect(await problems()).toEqual(new Set(['duplicate-agent']));
  });

  it('fmt reads stdin and writes stdout', async () => {
    const { code, stdout } = await nestor(['fmt', '-'], { input: '\uFEFFagent a{\r\nmodel="é"}' });
    expect([code, stdout]).toEqual([0, 'agent a {\n  model = "é"\n}\n']);
  });

  it.each([
    [['check', 'missing.agent'], /^nestor: No \.agent or \.bloge file fits "missing\.agent"/],
    [['check', 'none/**/*.agent'], /^nestor: No \.agent or \.bloge file fits "none/],
    [['check', 'a.agent', '--metadata', 'none.json'], /^nestor: Cannot read none\.json: ENOENT/],
    [['check', 'a.agent', '--metadata', 'a.agent'], /^nestor: a\.agent is no JSON/],
    [['metadata', 'a.agent'], /^nestor: Cannot import a\.agent: /],
  ])('%j ends with 2 and one line', async (args, message) => {
    await folder.write('a.agent', 'agent a {\n  model = "m"\n}\n');
    const { code, stdout, stderr } = await nestor(args);
    expect([code, stdout, stderr.split('\n').length]).toEqual([2, '', 2]);
    expect(stderr).toMatch(message);
  });

  it('check loads no more than the language', async () => {
    await folder.write('a.agent', 'agent a {\n  model = "m"\n}\n');
    // The engine loads the one; Nest, the provider and the database all load the other.
    const report = `process.on('exit', () => console.error(
      ['crypto', 'http'].filter((name) => process.moduleLoadList.includes('NativeModule ' + name)).join()))`;
    const environment = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(report)}` };
    expect(await nestor(['check', 'a.agent'], { environment })).toMatchObject({ code: 0, stderr: '\n' });
    const other = await nestor(['metadata', built.supportDesk], { environment });
    expect(other.stderr).toMatch(/crypto,http\n$/);
  });

  it('metadata is the same from a module as from the running application', async () => {
    const token = 'correct-horse';
    const runtime = await RuntimeProcess.start(built.runtime, { NESTOR_API_TOKEN: token }, folder.path);
    try {
      const environment = { NESTOR_API_TOKEN: token };
      const asked = await nestor(['metadata', '--url', runtime.url, '--out', 'asked.json'], { environment });
      expect(asked).toMatchObject({ code: 0, stdout: '' });
      const refused = await nestor(['metadata', '--url', runtime.url]);
      expect(refused).toMatchObject({ code: 2, stdout: '' });
      expect(refused.stderr).toContain('answers 401. Set NESTOR_API_TOKEN');
    } finally {
      await runtime.kill();
    }
    const { code, stdout } = await nestor(['metadata', built.supportDesk, '--out', '-']);
    expect(code).toBe(0);
    expect(stdout).toBe(await readFile(join(folder.path, 'asked.json'), 'utf8'));
    expect(JSON.parse(stdout)).toContainEqual(
      expect.objectContaining({ name: 'createTicket', kind: 'tool', parameters: expect.anything() }),
    );
    const agents = join(built.directory, 'agents');
    expect(await nestor(['check', agents, '--metadata', 'asked.json'])).toMatchObject({ code: 0 });
    const schema = await nestor([
      'schema',
      join(agents, 'customer-support.agent'),
      '--metadata',
      'asked.json',
    ]);
    expect(schema).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(schema.stdout)[0].tools.length).toBeGreaterThan(0);
  }, 90_000);

  it('metadata needs no database, key or silence of the application, and ends', async () => {
    const { code, stdout, stderr } = await nestor(['metadata', built.durableApp, '--out', '-']);
    expect([code, stderr]).toEqual([0, 'printed at the start\n']);
    expect(JSON.parse(stdout)).toEqual([
      expect.objectContaining({ name: 'now', description: 'What time it is', approval: true }),
    ]);
    expect(existsSync(join(folder.path, 'data'))).toBe(false);
  });

  it.each([
    [
      'BrokenModule',
      /^\[Broken\] logged before it broke\n[^]*\nnestor: The application of .* does not start: it is broken\n$/,
    ],
    ['PlainModule', /^nestor: PlainModule imports no AgentModule[^\n]*\n$/],
    [
      'Clock',
      /^nestor: .* exports no module "Clock"\. Choose with --export one of: AppModule, BrokenModule, PlainModule\.\n$/,
    ],
  ])('metadata says what is wrong with %s', async (name, message) => {
    const { code, stdout, stderr } = await nestor(['metadata', built.durableApp, '--export', name]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(message);
    expect(existsSync(join(folder.path, 'operator-metadata.json'))).toBe(false);
  });

  it('schema shows what a model is told of the worked example', async () => {
    const { code, stdout } = await nestor(['schema', join(EXAMPLES, 'worked-example.agent')]);
    expect(code).toBe(0);
    const parameters = (name: string): object => ({
      type: 'object',
      properties: { [name]: { type: 'string' } },
      required: [name],
      additionalProperties: false,
    });
    expect(JSON.parse(stdout)).toEqual([
      {
        agent: 'customerSupport',
        tools: [
          {
            name: 'searchKnowledgeBase',
            description: 'Search the knowledge base',
            parameters: parameters('query'),
          },
          {
            name: 'escalateToHuman',
            description: 'Escalate to a human agent',
            parameters: parameters('reason'),
          },
        ],
      },
    ]);
  });
});
