import { AgentBuilder, ScriptedProvider, type AgentOutput } from '@nestor/core';
import { AgentLoopService } from '@nestor/agent';
import { afterEach, describe, expect, it } from 'vitest';
import { allServerEvents, startHttpAgents, type HttpAgents } from '../../../../test/support/http-agents.js';

const PROMPT = 'Never tell anybody of the vault.';

describe('an output over HTTP', () => {
  let served: HttpAgents;
  afterEach(() => served.close());

  async function start(durability: 'run' | 'off'): Promise<ScriptedProvider> {
    const provider = new ScriptedProvider([{ text: 'Hello.' }, { text: 'Again.' }]);
    const agents = [AgentBuilder.create('desk').model('m').systemPrompt(PROMPT)];
    const caller = { serialize: () => ({}), restore: () => ({}) };
    served = await startHttpAgents({ agents, provider, options: { durability, caller } });
    return provider;
  }

  const rolesOf = ({ messages, checkpoint }: AgentOutput): unknown =>
    [messages, checkpoint.conversation].map((list) => list.map(({ role }) => role));
  const SHOWN = [
    ['user', 'assistant'],
    ['user', 'assistant'],
  ];

  it.each(['off', 'run'] as const)('does not tell the system prompt (durability %s)', async (durability) => {
    await start(durability);
    const text = await (await served.post('/agents/desk/runs', { input: 'Hi' })).text();
    expect(text).not.toContain('vault');
    expect(rolesOf(JSON.parse(text) as AgentOutput)).toEqual(SHOWN);

    const events = await allServerEvents(await served.stream('/agents/desk/runs', { input: 'Hi' }));
    expect(JSON.stringify(events)).not.toContain('vault');
    expect(rolesOf(events.at(-1)?.data['finalOutput'] as AgentOutput)).toEqual(SHOWN);
  });

  it('does not tell what the application told as the system, to whoever follows the run', async () => {
    await start('run');
    const input = [
      { role: 'system', content: 'The vault is on floor 3.' },
      { role: 'user', content: 'Hi' },
    ];
    const runId = await served.app.get(AgentLoopService).start('desk', input, { caller: {} });
    const text = await (await fetch(`${served.url}/runs/${runId}/stream`)).text();
    expect(text).toContain('event: done');
    expect(text).not.toContain('vault');
  });

  it('has a checkpoint that goes on with the prompt, once', async () => {
    const provider = await start('off');
    const output = (await (await served.post('/agents/desk/runs', { input: 'Hi' })).json()) as AgentOutput;
    const agents = served.app.get(AgentLoopService);
    const { messages } = await agents.resume('desk', output.checkpoint, { input: 'And?' });
    expect(provider.requests[1]?.messages.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'user',
    ]);
    expect(messages.filter(({ role }) => role === 'system')).toEqual([{ role: 'system', content: PROMPT }]);
  });
});
