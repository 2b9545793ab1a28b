import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { rejection } from '../../../../test/support/run-outcome.js';
import { calls, scriptedAgent } from '../../../../test/support/scripted-agent.js';
import type { AgentCheckpoint } from '../definition/agent-checkpoint.js';
import { AgentBuilder } from '../definition/agent.builder.js';
import { InvalidResponseException } from '../errors/invalid-response.exception.js';
import { OperatorContext } from '../operators/operator.context.js';

const root = OperatorContext.root();

describe('finalizing with a response format', () => {
  const define = (builder: Parameters<NonNullable<Parameters<typeof scriptedAgent>[0]['define']>>[0]) =>
    builder
      .maxTurns(1)
      .onMaxTurns('finalize')
      .responseFormat(z.object({ city: z.string() }));
  const tools = { ping: () => 'pong' };

  it('gives the validated value', async () => {
    const { agent } = scriptedAgent({
      script: [calls(['ping']), { text: '{"city":"Oslo"}' }],
      tools,
      define,
    });
    expect(await agent.execute('go', root)).toMatchObject({
      exitReason: 'max_turns',
      value: { city: 'Oslo' },
    });
  });

  it('asks for one repair', async () => {
    const { agent, provider } = scriptedAgent({
      script: [calls(['ping']), { text: 'Oslo' }, { text: '{"city":"Oslo"}' }],
      tools,
      define,
    });
    expect((await agent.execute('go', root)).value).toEqual({ city: 'Oslo' });
    expect(provider.requests.map(({ toolChoice }) => toolChoice)).toEqual([undefined, 'none', 'none']);
  });

  it('fails if the repair does not fit either', async () => {
    const { agent } = scriptedAgent({
      script: (_, call) => (call === 1 ? calls(['ping']) : { text: 'Oslo' }),
      tools,
      define,
    });
    expect(await rejection(agent.execute('go', root))).toBeInstanceOf(InvalidResponseException);
  });
});

describe('an answer in a checkpoint', () => {
  const define = (builder: AgentBuilder): AgentBuilder =>
    builder.responseFormat(z.object({ city: z.string() }));
  const answered = (content: string): AgentCheckpoint => ({
    conversation: [
      { role: 'user', content: 'where?' },
      { role: 'assistant', content },
    ],
    turnCount: 1,
    toolResults: {},
  });

  it('is validated when it is given back', async () => {
    const { agent, provider } = scriptedAgent({ script: [], define });
    const output = await agent.resume(answered('{"city":"Oslo"}'), root);
    expect(output).toMatchObject({ exitReason: 'stop', value: { city: 'Oslo' }, turnsUsed: 1 });
    expect(provider.requests).toHaveLength(0);
  });

  it('is repaired if it does not fit', async () => {
    const { agent } = scriptedAgent({ script: [{ text: '{"city":"Oslo"}' }], define });
    const output = await agent.resume(answered('Oslo'), root);
    expect(output).toMatchObject({ value: { city: 'Oslo' }, turnsUsed: 2 });
  });
});

describe('a checkpoint from outside', () => {
  it.each([Number.NaN, -1, 1.5, '3', null])('with the turn count %s is refused', async (turnCount) => {
    const { agent, provider } = scriptedAgent({
      script: (_, call) => (call < 30 ? calls(['ping', { call }]) : { text: 'done' }),
      tools: { ping: () => 'pong' },
    });
    const checkpoint = { conversation: [{ role: 'user', content: 'go' }], turnCount, toolResults: {} };
    const error = await rejection(agent.resume(checkpoint as never, root));
    expect(error).toMatchObject({ code: 'invalid_input', message: expect.stringContaining('turnCount') });
    expect(provider.requests).toHaveLength(0);
  });
});
