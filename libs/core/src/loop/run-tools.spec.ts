import { getEventListeners } from 'node:events';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import {
  calls,
  deferred,
  recordingListener,
  scriptedAgent,
} from '../../../../test/support/scripted-agent.js';
import { AgentAbortedException } from '../errors/agent-aborted.exception.js';
import { AgentException } from '../errors/agent.exception.js';
import { ToolException } from '../errors/tool.exception.js';
import { OperatorContext } from '../operators/operator.context.js';
import { toInputSchema } from '../operators/to-input-schema.js';

const root = OperatorContext.root();
const done = { text: 'done' };
const toolMessages = (messages: readonly { role: string; content: string | null }[]): (string | null)[] =>
  messages.filter(({ role }) => role === 'tool').map(({ content }) => content);

describe('calls that cannot be made', () => {
  it('B51: an unknown tool gets exactly one result, which names the known ones', async () => {
    const { agent, provider } = scriptedAgent({
      script: [calls(['nope', {}, 'a']), done],
      tools: { ping: () => 1 },
    });
    await agent.execute('go', root);
    const results = provider.requests[1]?.messages.filter(({ toolCallId }) => toolCallId === 'a') ?? [];
    expect(results).toHaveLength(1);
    expect(results[0]?.content).toMatch(/"unknown_tool".*nope.*ping/);
  });

  it('B53: a forbidden name is sanitised in the conversation, and stays as it was for listeners', async () => {
    const listener = recordingListener();
    const { agent } = scriptedAgent({
      script: [calls(['$READ FILE']), calls(['x<|channel|>y']), done],
      services: { listeners: [listener] },
    });
    const { messages } = await agent.execute('go', root);
    for (const { toolCalls } of messages)
      for (const { name } of toolCalls ?? []) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(
      listener.heard
        .filter(({ name }) => name === 'onAgentToolDispatched')
        .map(({ payload }) => payload.toolName),
    ).toEqual(['$READ FILE', 'x<|channel|>y']);
  });

  it('B55: invalid JSON is kept as {}, the model gets an error, listeners the original', async () => {
    const listener = recordingListener();
    const f = vi.fn();
    const { agent, provider } = scriptedAgent({
      script: [calls(['f', '{bad', 'a']), done],
      tools: { f },
      services: { listeners: [listener] },
    });
    await agent.execute('go', root);
    const [, assistant, tool] = provider.requests[1]?.messages ?? [];
    expect(assistant?.toolCalls).toEqual([{ id: 'a', name: 'f', arguments: '{}' }]);
    expect(tool).toMatchObject({
      role: 'tool',
      toolCallId: 'a',
      content: expect.stringContaining('invalid_json'),
    });
    expect(f).not.toHaveBeenCalled();
    expect(listener.heard.find(({ name }) => name === 'onAgentToolDispatched')?.payload.argumentsJson).toBe(
      '{bad',
    );
  });

  it('B13: arguments that are JSON only in part are not run', async () => {
    const del = vi.fn();
    const { agent } = scriptedAgent({
      script: [calls(['del', '{"id":"1"}, "dryRun":true}']), done],
      tools: { del },
    });
    const { messages } = await agent.execute('go', root);
    expect(del).not.toHaveBeenCalled();
    expect(toolMessages(messages)[0]).toContain('invalid_json');
  });

  it('B171: names of members of objects are unknown tools', async () => {
    const { agent } = scriptedAgent({
      script: [calls(['constructor'], ['__proto__'], ['hasOwnProperty'], ['toString']), done],
      tools: { ping: () => 1 },
    });
    const output = await agent.execute('go', root);
    for (const content of toolMessages(output.messages)) expect(content).toContain('unknown_tool');
    expect(Object.keys(output.toolResults)).toHaveLength(4);
  });

  it('arguments that do not fit name path and reason', async () => {
    const { agent } = scriptedAgent({
      script: [calls(['book', { seats: [{ row: 'x' }] }]), done],
      tools: { book: () => 1 },
      metadata: {
        book: { input: toInputSchema(z.object({ seats: z.array(z.object({ row: z.number() })) }), 'book') },
      },
    });
    expect(toolMessages((await agent.execute('go', root)).messages)[0]).toMatch(
      /"invalid_arguments".*seats\[0\]\.row/,
    );
  });

  it('B59: integers that JavaScript cannot hold keep their digits', async () => {
    const get = vi.fn<(input: { id: unknown }) => string>(() => 'ok');
    const { agent } = scriptedAgent({
      script: [calls(['get', '{"id":9007199254740993}']), done],
      tools: { get },
    });
    await agent.execute('go', root);
    expect(String(get.mock.calls[0]?.[0].id)).toBe('9007199254740993');
  });

  it('a tool that needs approval is not called', async () => {
    const pay = vi.fn();
    const { agent } = scriptedAgent({
      script: [calls(['pay', { n: 1 }]), done],
      tools: { pay },
      metadata: { pay: { approval: (input) => (input as { n: number }).n > 0 } },
    });
    expect(toolMessages((await agent.execute('go', root)).messages)[0]).toContain('not_approved');
    expect(pay).not.toHaveBeenCalled();
  });
});

describe('tools that fail', () => {
  it.each([
    ['an empty error', () => Promise.reject(new Error())],
    ['null', () => Promise.reject(null)],
    ['nothing', () => Promise.reject()],
    ['a string', () => Promise.reject('str')],
    ['an object', () => Promise.reject({ odd: 1 })],
    [
      'at once',
      () => {
        throw new TypeError('boom');
      },
    ],
  ])('B57: %s becomes an error result with some text', async (_, f) => {
    const { agent } = scriptedAgent({ script: [calls(['f']), done], tools: { f } });
    const output = await agent.execute('go', root);
    expect(output.content).toBe('done');
    const { error } = JSON.parse(toolMessages(output.messages)[0] ?? '') as {
      error: { code: string; message: string };
    };
    expect(error.code).toBe('failed');
    expect(error.message.length).toBeGreaterThan(0);
    expect(error.message).not.toContain('at ');
  });

  it('chooses the code with a ToolException', async () => {
    const f = () => {
      throw new ToolException('denied', 'Not yours.');
    };
    const { agent } = scriptedAgent({ script: [calls(['f']), done], tools: { f } });
    expect(toolMessages((await agent.execute('go', root)).messages)[0]).toBe(
      '{"error":{"code":"denied","message":"Not yours."}}',
    );
  });

  it('B61: a failing tool leaves its siblings alone', async () => {
    const b = deferred<string>();
    const { agent } = scriptedAgent({
      script: [calls(['a'], ['b'], ['c']), done],
      tools: {
        a: () => {
          b.resolve('b done');
          throw new Error('a failed');
        },
        b: () => b.promise,
        c: () => 'c done',
      },
    });
    const { messages } = await agent.execute('go', root);
    expect(toolMessages(messages)).toEqual([expect.stringContaining('a failed'), 'b done', 'c done']);
  });

  it('B61: an AgentException stops the run, after its siblings were aborted and have ended', async () => {
    const ended: string[] = [];
    const { agent } = scriptedAgent({
      script: [calls(['a'], ['b'], ['c'])],
      tools: {
        a: async () => {
          await Promise.resolve();
          throw new AgentException('stop everything', { code: 'custom' });
        },
        b: (_: never, { signal }: OperatorContext) =>
          new Promise((_resolve, reject) =>
            signal.addEventListener('abort', () => {
              ended.push('b');
              reject(signal.reason);
            }),
          ),
        c: () => 'c done',
      },
    });
    const error = await agent.execute('go', root).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'custom', runId: expect.any(String) });
    expect(ended).toEqual(['b']);
    const { conversation } = (error as AgentException).checkpoint ?? { conversation: [] };
    expect(conversation.filter(({ role }) => role === 'tool')).toHaveLength(3);
  });

  it('retries what its operator allows', async () => {
    let attempts = 0;
    const { agent } = scriptedAgent({
      script: [calls(['flaky']), done],
      tools: {
        flaky: () => {
          if (++attempts < 3) throw new Error('not yet');
          return 'third time';
        },
      },
      metadata: { flaky: { retry: { attempts: 3, delayMs: 0 } } },
    });
    expect(toolMessages((await agent.execute('go', root)).messages)).toEqual(['third time']);
  });
});

describe('order and concurrency', () => {
  it('runs all calls of a turn at once and keeps the results in call order', async () => {
    const gates = [deferred<string>(), deferred<string>(), deferred<string>()];
    let started = 0;
    const { agent } = scriptedAgent({
      script: [calls(['wait', { n: 0 }, 'a'], ['wait', { n: 1 }, 'b'], ['wait', { n: 2 }, 'c']), done],
      tools: {
        wait: ({ n }: { n: number }) => {
          if (++started === 3) [2, 1, 0].forEach((index) => gates[index]?.resolve(`r${index}`));
          return gates[n]?.promise;
        },
      },
    });
    const output = await agent.execute('go', root);
    expect(toolMessages(output.messages)).toEqual(['r0', 'r1', 'r2']);
    expect(Object.entries(output.toolResults)).toEqual([
      ['a', 'r0'],
      ['b', 'r1'],
      ['c', 'r2'],
    ]);
  });

  it.each([
    [null, 4],
    [2, 2],
    [1, 1],
  ])('B63: with a cap of %s, %d run at once', async (cap, most) => {
    let running = 0;
    let peak = 0;
    const work = async () => {
      peak = Math.max(peak, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
    };
    const listener = recordingListener();
    const { agent } = scriptedAgent({
      script: [calls(['work', { n: 1 }], ['work', { n: 2 }], ['work', { n: 3 }], ['work', { n: 4 }]), done],
      tools: { work },
      define: (builder) => builder.maxToolConcurrency(cap),
      services: { listeners: [listener] },
    });
    await agent.execute('go', root);
    expect(peak).toBe(most);
    const names = listener.heard.map(({ name }) => name);
    expect(names.lastIndexOf('onAgentToolCompleted')).toBeLessThan(names.lastIndexOf('onAgentTurnStarted'));
  });

  it('B65: a tool that needs approval does not slow those that do not', async () => {
    const x = deferred<string>();
    const { agent } = scriptedAgent({
      script: [calls(['x'], ['y']), done],
      tools: {
        x: () => x.promise,
        y: () => {
          x.resolve('x');
          return 'y';
        },
        z: () => 'z',
      },
      metadata: { z: { approval: true } },
    });
    expect(toolMessages((await agent.execute('go', root)).messages)).toEqual(['x', 'y']);
  });

  it('makes a repeated call id unique', async () => {
    const { agent } = scriptedAgent({
      script: [
        calls(['ping', { n: 1 }, 'same'], ['ping', { n: 2 }, 'same']),
        calls(['ping', { n: 3 }, 'same']),
        done,
      ],
      tools: { ping: ({ n }: { n: number }) => n },
    });
    const { messages } = await agent.execute('go', root);
    const ids = messages.flatMap(({ toolCalls }) => toolCalls?.map(({ id }) => id) ?? []);
    expect(new Set(ids).size).toBe(3);
    expect(messages.filter(({ role }) => role === 'tool').map(({ toolCallId }) => toolCallId)).toEqual(ids);
  });

  it('gives each call its place: turn, call id, key, caller', async () => {
    const contexts: OperatorContext[] = [];
    const { agent } = scriptedAgent({
      script: [calls(['a', {}, 'x'], ['a', { n: 2 }, 'y']), done],
      tools: { a: (_: never, context: OperatorContext) => void contexts.push(context) },
    });
    const { runId } = await agent.execute(
      'go',
      OperatorContext.root({ caller: { user: 'ann' }, sessionId: 's', graphContext: { tenant: 7 } }),
    );
    expect(
      contexts.map(({ toolCallId, turnNumber, idempotencyKey, executionId }) => [
        toolCallId,
        turnNumber,
        idempotencyKey,
        executionId,
      ]),
    ).toEqual([
      ['x', 1, `${runId}:1:0`, runId],
      ['y', 1, `${runId}:1:1`, runId],
    ]);
    expect(contexts[0]).toMatchObject({
      caller: { user: 'ann' },
      sessionId: 's',
      graphContext: { tenant: 7 },
      operatorRef: 'a',
      nodeId: 'a',
      graphName: 'agent',
    });
  });
});

describe('limits and aborts', () => {
  afterEach(() => void vi.useRealTimers());

  it('a tool that takes too long is aborted, and the model is told', async () => {
    vi.useFakeTimers();
    let reason: unknown;
    const { agent } = scriptedAgent({
      script: [calls(['slow']), done],
      tools: {
        slow: (_: never, { signal }: OperatorContext) =>
          new Promise((resolve) =>
            signal.addEventListener('abort', () => {
              reason = signal.reason;
              resolve('too late');
            }),
          ),
      },
      metadata: { slow: { timeout: 50 } },
    });
    const running = agent.execute('go', root);
    await vi.advanceTimersByTimeAsync(50);
    const output = await running;
    expect(toolMessages(output.messages)[0]).toMatch(/"timeout".*50 ms/);
    expect(reason).toBeInstanceOf(ToolException);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('a tool that ignores its signal is left alone after the grace', async () => {
    vi.useFakeTimers();
    const { agent } = scriptedAgent({
      script: [calls(['deaf']), done],
      tools: { deaf: () => new Promise(() => {}) },
      define: (builder) => builder.toolTimeout(50),
      services: { settleGraceMs: 200 },
    });
    const running = agent.execute('go', root);
    await vi.advanceTimersByTimeAsync(250);
    expect(toolMessages((await running).messages)[0]).toContain('"timeout"');
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each([
    ['that throws an AbortError', true],
    ['that ignores the signal and returns', false],
  ])('B67: an abort during a tool %s ends the run', async (_, throws) => {
    const controller = new AbortController();
    const started = deferred();
    const { agent, provider } = scriptedAgent({
      script: [calls(['work'])],
      tools: {
        work: async (_input: never, { signal }: OperatorContext) => {
          started.resolve();
          await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
          if (throws) throw new DOMException('aborted', 'AbortError');
          return 'a result';
        },
      },
    });
    const running = agent.execute('go', OperatorContext.root({ signal: controller.signal }));
    const failed = running.catch((error: unknown) => error);
    await started.promise;
    const reason = new Error('the user left');
    controller.abort(reason);
    const error = await failed;
    expect(error).toBeInstanceOf(AgentAbortedException);
    expect(error).toMatchObject({ cause: reason, checkpoint: { turnCount: 1 } });
    expect((error as AgentAbortedException).checkpoint?.conversation.at(-1)?.role).toBe('tool');
    expect(provider.requests).toHaveLength(1);
  });

  it('B69: the run settles after the clean-up of its tools', async () => {
    const controller = new AbortController();
    const started = deferred();
    let cleaned = false;
    const { agent } = scriptedAgent({
      script: [calls(['work'])],
      tools: {
        work: async (_: never, { signal }: OperatorContext) => {
          try {
            started.resolve();
            await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
          } finally {
            await new Promise((resolve) => setImmediate(resolve));
            cleaned = true;
          }
        },
      },
    });
    const failed = agent.execute('go', OperatorContext.root({ signal: controller.signal })).catch(() => {});
    await started.promise;
    controller.abort();
    await failed;
    expect(cleaned).toBe(true);
  });

  it('B71: fifty runs that share a signal warn of nothing and leave no listener', async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error): void => void warnings.push(warning);
    process.on('warning', onWarning);
    const { signal } = new AbortController();
    const { agent } = scriptedAgent({
      script: ({ messages }) => (messages.length === 1 ? calls(['a'], ['b'], ['c']) : done),
      tools: {
        a: (_: never, context: OperatorContext) => void context.signal,
        b: () => 1,
        c: (_: never, context: OperatorContext) => context.signal.aborted,
      },
    });
    await Promise.all(
      Array.from({ length: 50 }, () => agent.execute('go', OperatorContext.root({ signal }))),
    );
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', onWarning);
    expect(warnings).toEqual([]);
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  it('refuses a signal that has aborted already, without asking the model', async () => {
    const { agent, provider } = scriptedAgent({ script: [done] });
    const context = OperatorContext.root({ signal: AbortSignal.abort('too early') });
    await expect(agent.execute('go', context)).rejects.toMatchObject({ code: 'aborted', cause: 'too early' });
    expect(provider.requests).toHaveLength(0);
  });
});

describe('results', () => {
  it('B73: never leave half a character', async () => {
    const { agent, provider } = scriptedAgent({
      script: [calls(['f']), done],
      tools: { f: () => `${'x'.repeat(999)}\u{1F525}${'y'.repeat(1000)}` },
      define: (builder) => builder.toolResultLimit(1000),
      services: { listeners: [] },
    });
    const output = await agent.execute('go', root);
    const strings = JSON.stringify([output, provider.requests.map(({ messages }) => messages)]);
    expect(strings).not.toMatch(/\\ud[89a-f]/i);
    expect(toolMessages(output.messages)[0]?.isWellFormed()).toBe(true);
    expect(toolMessages(output.messages)[0]?.length).toBeLessThanOrEqual(1000);
  });

  it('B125: have one JSON form, live and after storage', async () => {
    const { agent } = scriptedAgent({
      script: [calls(['f', {}, 'id']), done],
      tools: { f: () => ({ n: 1, d: new Date(0), b: 10n, m: new Map([['k', 1]]) }) },
    });
    const { toolResults, checkpoint } = await agent.execute('go', root);
    expect({ ...toolResults }).toEqual({ id: { n: 1, d: '1970-01-01T00:00:00.000Z', b: '10', m: { k: 1 } } });
    expect(JSON.parse(JSON.stringify(checkpoint)).toolResults).toEqual({ ...toolResults });
  });
});

describe('an agent as a tool', () => {
  it('answers with its text, and gets caller and abort of the run that calls it', async () => {
    const callers: unknown[] = [];
    const inner = scriptedAgent({
      script: [calls(['who']), { text: 'inner answer' }],
      tools: {
        who: (_: never, { caller, agentDepth }: OperatorContext) => void callers.push(caller, agentDepth),
      },
    });
    const outer = scriptedAgent({
      script: [calls(['helper', { input: 'help' }]), done],
      tools: { helper: inner.agent.asTool('Helps') },
      define: (builder) => builder.tool('helper'),
    });
    const output = await outer.agent.execute('go', OperatorContext.root({ caller: { user: 'ann' } }));
    expect(toolMessages(output.messages)).toEqual(['inner answer']);
    expect(callers).toEqual([{ user: 'ann' }, 1]);
  });

  it('tells the model when it fails, and when agents call one another too deep', async () => {
    const chain = scriptedAgent({
      script: ({ messages }) =>
        messages.length === 1
          ? calls(['self', { input: 'again' }])
          : { text: messages.at(-1)?.content ?? '' },
      define: (builder) => builder.tools('all'),
    });
    const { AgentToolOperator } = await import('./agent-tool.operator.js');
    chain.registry.register('self', new AgentToolOperator(() => agent, 'Itself'), { kind: 'tool' });
    const { AgentLoopOperator } = await import('./agent-loop.operator.js');
    const agent = new AgentLoopOperator('agent', chain.agent.def, chain.registry);
    expect((await agent.execute('go', root)).content).toMatch(/"limit".*5 deep/);
  });
});
