import { describe, expect, it } from 'vitest';
import { nestor, RecordedTerminal } from '../../../../test/support/recorded-terminal.js';
import { TemporaryFolder } from '../../../../test/support/temporary-folder.js';

const METADATA = JSON.stringify([
  {
    name: 'KnowledgeBase',
    description: 'Searches',
    kind: 'tool',
    parameters: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
  },
]);
const agent = (operator: string, name = 'a'): string =>
  `agent ${name} {\n  model = "m"\n  tool search : ${operator} { input { query = tool_args.query } }\n}\n`;

describe('nestor check', () => {
  const folder = new TemporaryFolder();

  it('judges operators with --metadata only', async () => {
    const path = await folder.write('a.agent', agent('KnowledgeBse'));
    expect(await nestor(['check', path])).toEqual({ code: 0, stdout: 'No problems in 1 file\n', stderr: '' });

    const metadata = await folder.write('operator-metadata.json', METADATA);
    const judged = await nestor(['check', path, '--metadata', metadata]);
    expect(judged.code).toBe(1);
    expect(judged.stdout).toContain(
      `${path}:3:17 error[unknown-operator] There is no operator "KnowledgeBse".`,
    );
    expect(judged.stdout).toMatch(/hint: did you mean "KnowledgeBase"\?.*\n\n1 error in 1 of 1 file\n$/);
  });

  it('judges the input of operators', async () => {
    const metadata = await folder.write('operator-metadata.json', METADATA);
    const path = await folder.write('a.agent', agent('KnowledgeBase').replace('query =', 'text ='));
    const { code, stdout } = await nestor(['check', path, '--metadata', metadata]);
    expect(code).toBe(1);
    expect(stdout).toContain('error[missing-field]');
  });

  it('knows agents that are checked together as operators', async () => {
    const metadata = await folder.write('operator-metadata.json', METADATA);
    await folder.write('a.agent', agent('KnowledgeBase', 'inner'));
    await folder.write(
      'b.agent',
      'agent outer {\n  model = "m"\n  tool ask : inner { input { input = tool_args.question } }\n}\n',
    );
    expect(await nestor(['check', folder.path, '--metadata', metadata])).toMatchObject({
      code: 0,
      stdout: 'No problems in 2 files\n',
    });
  });

  it('gives 0 for warnings', async () => {
    const path = await folder.write(
      'a.agent',
      'agent a {\n  model = "m"\n  exit_condition = tool_call("none")\n}\n',
    );
    const { code, stdout } = await nestor(['check', path]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/warning\[[\w-]+\][^]*\n\n1 warning in 1 of 1 file\n$/);
  });

  it('prints JSON alone with --json, without colours', async () => {
    const path = await folder.write('a.agent', 'agent a {');
    const { code, stdout, stderr } = await nestor(
      ['check', path, '--json'],
      new RecordedTerminal({ colours: true }),
    );
    expect([code, stderr]).toEqual([1, '']);
    expect(JSON.parse(stdout)).toMatchObject({ files: [{ file: path }], warnings: 0 });
    expect(JSON.parse(stdout).errors).toBeGreaterThan(0);
    expect(stdout).not.toContain('\u001b');
  });

  it.each([
    [
      'missing.json',
      undefined,
      /^nestor: Cannot read .*missing\.json: ENOENT[^\n]*"nestor metadata" writes it\.\n$/,
    ],
    ['wrong.json', '{', /^nestor: .*wrong\.json is no JSON/],
    ['other.json', '{"name":"package"}', /^nestor: .*other\.json is no list of operators/],
  ])('ends with 2 for the metadata %s', async (name, text, message) => {
    const path = await folder.write('a.agent', agent('x'));
    if (text !== undefined) await folder.write(name, text);
    const { code, stdout, stderr } = await nestor(['check', path, '--metadata', `${folder.path}/${name}`]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(message);
  });
});
