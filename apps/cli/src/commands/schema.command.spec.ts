import { describe, expect, it } from 'vitest';
import { nestor } from '../../../../test/support/recorded-terminal.js';
import { TemporaryFolder } from '../../../../test/support/temporary-folder.js';

const SOURCE = `agent support {
  model = "m"
  tool search : KnowledgeBase {
    description = "Search the articles"
    input { query = tool_args.query }
  }
  tool escalate : Escalation {}
}
agent lead {
  model = "m"
  tool ask : support { input { input = tool_args.question } }
}
`;
const METADATA = JSON.stringify([
  {
    name: 'KnowledgeBase',
    description: 'Of the operator',
    kind: 'tool',
    promptHint: 'Use it first.',
    parameters: {
      type: 'object',
      properties: { query: { type: 'string', minLength: 3 } },
      required: ['query'],
    },
  },
  {
    name: 'Escalation',
    description: 'Calls a person',
    kind: 'tool',
    parameters: { type: 'object', properties: { reason: { type: 'string' } } },
  },
]);

describe('nestor schema', () => {
  const folder = new TemporaryFolder();

  it('shows what the file itself tells, and says so', async () => {
    const path = await folder.write('a.agent', SOURCE);
    const { code, stdout, stderr } = await nestor(['schema', path]);
    expect(code).toBe(0);
    expect(stderr).toBe(
      'Without --metadata only what the file tells of the tools is shown, not what their operators say.\n',
    );
    const [support, lead] = JSON.parse(stdout);
    expect(support).toEqual({
      agent: 'support',
      tools: [
        {
          name: 'search',
          description: 'Search the articles',
          parameters: {
            type: 'object',
            properties: { query: { type: 'string' } },
            required: ['query'],
            additionalProperties: false,
          },
        },
        {
          name: 'escalate',
          description: '',
          parameters: { type: 'object', properties: {}, additionalProperties: false },
        },
      ],
    });
    expect(lead.tools).toMatchObject([{ name: 'ask', parameters: { required: ['question'] } }]);
  });

  it('shows what the operators say with --metadata', async () => {
    const path = await folder.write('a.agent', SOURCE);
    const metadata = await folder.write('operator-metadata.json', METADATA);
    const { code, stdout, stderr } = await nestor([
      'schema',
      path,
      '--agent',
      'support',
      '--metadata',
      metadata,
    ]);
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject([
      {
        agent: 'support',
        tools: [
          {
            name: 'search',
            description: 'Search the articles\nUse it first.',
            parameters: { properties: { query: { type: 'string', minLength: 3 } }, required: ['query'] },
          },
          { name: 'escalate', description: 'Calls a person', parameters: { properties: { reason: {} } } },
        ],
      },
    ]);
  });

  it('says which agents there are', async () => {
    const path = await folder.write('a.agent', SOURCE);
    expect(await nestor(['schema', path, '--agent', 'suport'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: `nestor: ${path} has no agent "suport"; it has support, lead. Did you mean "support"?\n`,
    });
  });

  it('tells the errors of the file, and those that the metadata shows', async () => {
    const broken = await folder.write('broken.agent', 'agent a {');
    const metadata = await folder.write('operator-metadata.json', '[]');
    const first = await nestor(['schema', broken]);
    expect([first.code, first.stdout]).toEqual([1, '']);
    expect(first.stderr).toMatch(/broken\.agent:1:\d+ error\[/);
    const second = await nestor(['schema', await folder.write('a.agent', SOURCE), '--metadata', metadata]);
    expect([second.code, second.stdout]).toEqual([1, '']);
    expect(second.stderr).toContain('error[unknown-operator]');
  });
});
