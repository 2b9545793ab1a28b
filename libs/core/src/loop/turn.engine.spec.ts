import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { calls, recordingListener, scriptedAgent } from '../../../../test/support/scripted-agent.js';
import { BudgetExceededException } from '../errors/budget-exceeded.exception.js';
import { DeadlineExceededException } from '../errors/deadline-exceeded.exception.js';
import { InvalidResponseException } from '../errors/invalid-response.exception.js';
import { LoopDetectedException } from '../errors/loop-detected.exception.js';
import { MaxTurnsExceededException } from '../errors/max-turns-exceeded.exception.js';
import { OperatorContext } from '../operators/operator.context.js';

const root = OperatorContext.root();
const usage = (promptTokens: number, completionTokens: number, cachedTokens = 0, reasoningTokens = 0) => ({
  promptTokens,
  completionTokens,
  totalTokens: promptTokens + completionTokens,
  cachedTokens,
  reasoningTokens,
});
const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => expect.unreachable('the run should have failed'),
    (error: unknown) => error,
  );

describe('the loop', () => {
  it('asks, runs the tools, and asks again until there is an answer', async () => {
    const { agent, provider } = scriptedAgent({
      script: [calls(['add', { a: 1, b: 2 }]), { text: 'It is 3.' }],
      tools: { add: ({ a, b }: { a: number; b: number }) => a + b },
      define: (builder) => builder.systemPrompt('You add.'),
    });
    const output = await agent.execute('1 + 2?', root);
    expect(output).toMatchObject({
      content: 'It is 3.',
      finishReason: 'stop',
      exitReason: 'stop',
      turnsUsed: 2,
      pendingApprovals: [],
    });
    expect(output.messages.map(({ role, content }) => [role, content])).toEqual([
      ['system', 'You add.'],
      ['user', '1 + 2?'],
      ['assistant', null],
      ['tool', '3'],
      ['assistant', 'It is 3.'],
    ]);
    expect(Object.values(output.toolResults)).toEqual([3]);
    expect(output.checkpoint).toEqual({
      conversation: output.messages.slice(1),
      turnCount: 2,
      toolResults: output.toolResults,
    });
    expect(provider.requests[1]?.messages).toHaveLength(4);
  });

  it('ends after the tool round whose exit condition holds', async () => {
    const seen: unknown[] = [];
    const { agent } = scriptedAgent({
      script: [
        {
          ...calls(['escalate', { why: 'angry' }], ['note', { n: 1 }], ['note', { n: 2 }]),
          text: 'One moment.',
        },
      ],
      tools: { escalate: () => 'queued', note: ({ n }: { n: number }) => n },
      define: (builder) =>
        builder.exitCondition((scope) => {
          seen.push(
            scope.toolResults,
            scope.toolCalls.length,
            scope.turn,
            scope.content,
            scope.messages.length,
          );
          return (
            scope.finishReason === 'tool_calls' && scope.toolCall('escalate') && !scope.toolCall('nothing')
          );
        }),
    });
    const output = await agent.execute('A human, now!', root);
    expect(output).toMatchObject({ exitReason: 'exit_condition', finishReason: 'tool_calls', turnsUsed: 1 });
    expect(output.content).toBe('One moment.');
    expect(seen).toEqual([{ escalate: 'queued', note: [1, 2] }, 3, 1, 'One moment.', 5]);
  });

  it('B40: runs the tools of a message whose reason is stop, or one nobody knows', async () => {
    for (const finishReason of ['stop', 'end_turn_maybe']) {
      const listener = recordingListener();
      const { agent, provider } = scriptedAgent({
        script: [{ ...calls(['ping']), text: 'let me look', finishReason }, { text: 'done' }],
        tools: { ping: () => 'pong' },
        services: { listeners: [listener] },
      });
      const output = await agent.execute('hi', root);
      expect(output.content).toBe('done');
      expect(provider.requests).toHaveLength(2);
      expect(listener.heard.find(({ name }) => name === 'onAgentLlmCalled')?.payload.finishReason).toBe(
        finishReason,
      );
    }
  });

  it.each(['length', 'content_filter'])(
    'B42: makes no call of a message that was ended by %s',
    async (finishReason) => {
      const pay = vi.fn();
      const { agent } = scriptedAgent({
        script: [{ ...calls(['pay', { n: 1 }]), finishReason }],
        tools: { pay },
      });
      const output = await agent.execute('pay', root);
      expect(pay).not.toHaveBeenCalled();
      expect(output).toMatchObject({ exitReason: finishReason, finishReason, turnsUsed: 1 });
      expect(output.messages.at(-1)?.content).toContain('"not_run"');
    },
  );

  it('ends when the reason is tool_calls and there are none', async () => {
    const { agent } = scriptedAgent({ script: [{ text: 'well', finishReason: 'tool_calls' }] });
    expect(await agent.execute('hi', root)).toMatchObject({ exitReason: 'stop', finishReason: 'tool_calls' });
  });

  it('B44: tells the model that repeats itself, then ends with loop_detected', async () => {
    const ping = vi.fn(() => 'pong');
    const { agent, provider } = scriptedAgent({ script: () => calls(['ping']), tools: { ping } });
    const error = await rejection(agent.execute('go', root));
    expect(error).toBeInstanceOf(LoopDetectedException);
    expect(ping).toHaveBeenCalledTimes(3);
    expect(provider.requests).toHaveLength(5);
    expect(provider.requests[4]?.messages.at(-1)?.content).toContain('repeated_call');
  });

  it('B44: without the guard, uses its turns up and throws with a checkpoint', async () => {
    const { agent, provider } = scriptedAgent({
      script: () => calls(['ping']),
      tools: { ping: () => 'pong' },
      define: (builder) => builder.repeatedCallLimit(0),
    });
    const error = await rejection(agent.execute('go', root));
    expect(error).toBeInstanceOf(MaxTurnsExceededException);
    expect(provider.requests).toHaveLength(10);
    expect(error).toMatchObject({ checkpoint: { turnCount: 10 }, runId: expect.any(String) });
  });

  it('does not take polling for a loop', async () => {
    let progress = 0;
    const { agent } = scriptedAgent({
      script: (_, call) => (call < 8 ? calls(['status']) : { text: 'ready' }),
      tools: { status: () => `${(progress += 10)} %` },
    });
    expect((await agent.execute('wait', root)).content).toBe('ready');
  });

  it('B46: resumes from the checkpoint of its last turn without repeating a tool', async () => {
    const ping = vi.fn(({ n }: { n: number }) => `pong ${n}`);
    const script = (_: unknown, call: number) =>
      call <= 3 ? calls(['ping', { n: call }]) : { text: 'done' };
    const { agent } = scriptedAgent({ script, tools: { ping }, define: (builder) => builder.maxTurns(2) });
    const error = await rejection(agent.execute('go', root));
    expect(error).toBeInstanceOf(MaxTurnsExceededException);
    const { checkpoint } = error as MaxTurnsExceededException;
    const revived = JSON.parse(JSON.stringify(checkpoint));
    const output = await agent.resume(revived, root, { maxTurns: 4 });
    expect(output).toMatchObject({ content: 'done', turnsUsed: 4 });
    expect(ping.mock.calls.map(([{ n }]) => n)).toEqual([1, 2, 3]);
    await expect(agent.resume(revived, root)).rejects.toBeInstanceOf(MaxTurnsExceededException);
  });

  it('B46: finalizes with one call whose tools are off', async () => {
    const { agent, provider } = scriptedAgent({
      script: ({ toolChoice }) => (toolChoice === 'none' ? { text: 'as far as I got' } : calls(['ping'])),
      tools: { ping: () => 'pong' },
      define: (builder) => builder.maxTurns(2).onMaxTurns('finalize'),
    });
    const output = await agent.execute('go', root);
    expect(output).toMatchObject({ content: 'as far as I got', exitReason: 'max_turns' });
    expect(provider.requests).toHaveLength(3);
  });

  it('accepts a final answer on its last turn', async () => {
    const { agent } = scriptedAgent({ script: [{ text: 'done' }], define: (builder) => builder.maxTurns(1) });
    expect((await agent.execute('go', root)).exitReason).toBe('stop');
  });

  it('gives back a resumed conversation that is answered already, without asking again', async () => {
    const { agent, provider } = scriptedAgent({ script: [{ text: 'done' }, { text: 'more' }] });
    const { checkpoint } = await agent.execute('go', root);
    expect((await agent.resume(checkpoint, root)).content).toBe('done');
    expect(provider.requests).toHaveLength(1);
    expect((await agent.resume(checkpoint, root, { input: 'and?' })).content).toBe('more');
  });

  it('B48: answers calls of unknown tools with the tools there are, and goes on', async () => {
    const { agent } = scriptedAgent({
      script: (_, call) => (call <= 3 ? calls(['nope']) : call === 4 ? calls(['ping']) : { text: 'done' }),
      tools: { ping: () => 'pong', pong: () => 'ping' },
    });
    const { messages } = await agent.execute('go', root);
    const results = messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
    expect(results).toHaveLength(4);
    for (const result of results.slice(0, 3)) expect(result).toMatch(/unknown_tool.*ping, pong/);
    expect(results[3]).toBe('pong');
  });

  it('keeps the content of the last message, not of an earlier one', async () => {
    const { agent } = scriptedAgent({
      script: [{ ...calls(['ping']), text: 'looking' }, { text: '' }],
      tools: { ping: () => 'pong' },
    });
    expect((await agent.execute('go', root)).content).toBe('');
  });

  it('does not double the system prompt', async () => {
    const { agent, provider } = scriptedAgent({
      script: [{ text: 'ok' }],
      define: (builder) => builder.systemPrompt('Be kind.'),
    });
    await agent.execute([{ role: 'system', content: 'Be kind.' }, 'hi'], root);
    expect(provider.requests[0]?.messages.map(({ content }) => content)).toEqual(['Be kind.', 'hi']);
  });

  it('B132: makes the prompt of each run from that run’s context', async () => {
    const { agent, provider } = scriptedAgent({
      script: ({ messages }) => ({ text: messages[0]?.content ?? '' }),
      define: (builder) => builder.systemPrompt((ctx) => `You serve ${String(ctx.tenant)}.`),
    });
    const outputs = await Promise.all(
      Array.from({ length: 20 }, (_, tenant) =>
        agent.execute('who?', OperatorContext.root({ graphContext: { tenant } })),
      ),
    );
    expect(outputs.map(({ content }) => content)).toEqual(
      Array.from({ length: 20 }, (_, tenant) => `You serve ${tenant}.`),
    );
    expect(provider.requests).toHaveLength(20);
    expect(Object.isFrozen(agent.def) && Object.isFrozen(agent.def.tools)).toBe(true);
  });

  it('B167: counts tokens once, details inside their totals', async () => {
    const { agent } = scriptedAgent({
      script: [
        { ...calls(['ping']), usage: usage(100, 20, 80, 15) },
        { text: 'done', usage: usage(100, 20, 80, 15) },
      ],
      tools: { ping: () => 'pong' },
    });
    const { usage: total } = await agent.execute('go', root);
    expect(total).toEqual(usage(200, 40, 160, 30));
  });

  it('stops at its token budget, with the conversation whole', async () => {
    const { agent } = scriptedAgent({
      script: () => ({ ...calls(['ping']), usage: usage(900, 200) }),
      tools: { ping: () => 'pong' },
      define: (builder) => builder.maxTotalTokens(1000),
    });
    const error = await rejection(agent.execute('go', root));
    expect(error).toBeInstanceOf(BudgetExceededException);
    expect((error as BudgetExceededException).checkpoint?.conversation.at(-1)).toMatchObject({
      role: 'tool',
    });
  });

  it('gives an answer that came within the turn that spent the budget', async () => {
    const { agent } = scriptedAgent({
      script: [{ text: 'done', usage: usage(5000, 5000) }],
      define: (builder) => builder.maxTotalTokens(10),
    });
    expect((await agent.execute('go', root)).content).toBe('done');
  });

  it('fails at the first turn if no chat operator is registered', async () => {
    const { registry } = scriptedAgent({ script: [] });
    const { AgentBuilder } = await import('../definition/agent.builder.js');
    const { OperatorRegistry } = await import('../operators/operator.registry.js');
    expect(registry.has('llmChat')).toBe(true);
    const agent = AgentBuilder.create('a').model('m').toOperator('a', new OperatorRegistry());
    await expect(agent.execute('hi', root)).rejects.toThrow(/Unknown operator "llmChat"/);
  });

  it.each([
    ['a promise that rejects', () => Promise.reject(new Error('no luck'))],
    ['an error', () => ({ error: new Error('no luck') })],
  ])('wraps what the model throws (%s) and says which run it was', async (_, script) => {
    const { agent } = scriptedAgent({ script });
    await expect(agent.execute('hi', root)).rejects.toMatchObject({
      code: 'error',
      message: 'Agent "agent" failed: no luck',
      runId: expect.any(String),
      checkpoint: { turnCount: 1 },
    });
  });
});

describe('a response format', () => {
  const define = (builder: Parameters<NonNullable<Parameters<typeof scriptedAgent>[0]['define']>>[0]) =>
    builder.responseFormat(z.object({ city: z.string(), days: z.number().default(1) }));

  it('is told to the provider, and gives a validated value', async () => {
    const { agent, provider } = scriptedAgent({
      script: [{ text: '```json\n{"city":"Oslo"}\n```' }],
      define,
    });
    expect((await agent.execute('where?', root)).value).toEqual({ city: 'Oslo', days: 1 });
    expect(provider.requests[0]?.responseFormat?.schema).toMatchObject({ type: 'object' });
  });

  it('gets one repair turn', async () => {
    const { agent, provider } = scriptedAgent({
      script: [{ text: '{"city":5}' }, { text: '{"city":"Oslo"}' }],
      define,
    });
    expect((await agent.execute('where?', root)).value).toEqual({ city: 'Oslo', days: 1 });
    expect(provider.requests[1]?.messages.at(-1)?.content).toMatch(/city/);
  });

  it('fails after that', async () => {
    const { agent } = scriptedAgent({ script: () => ({ text: 'Oslo!' }), define });
    await expect(agent.execute('where?', root)).rejects.toBeInstanceOf(InvalidResponseException);
  });
});

describe('a deadline', () => {
  afterEach(() => void vi.useRealTimers());

  it('B50: ends a run whose model never finishes', async () => {
    vi.useFakeTimers();
    const { agent } = scriptedAgent({
      script: () => ({ text: 'late', delayMs: 60_000 }),
      define: (builder) => builder.deadline(1000),
    });
    const failing = rejection(agent.execute('go', root));
    await vi.advanceTimersByTimeAsync(1000);
    expect(await failing).toBeInstanceOf(DeadlineExceededException);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('leaves no timer behind a run that was in time', async () => {
    vi.useFakeTimers();
    const { agent } = scriptedAgent({
      script: [{ text: 'ok' }],
      define: (builder) => builder.deadline(1000),
    });
    await agent.execute('go', root);
    expect(vi.getTimerCount()).toBe(0);
  });
});
