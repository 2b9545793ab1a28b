import { afterEach, describe, expect, it, vi } from 'vitest';
import { exits, pairingFaults, rejection } from '../../../../test/support/run-outcome.js';
import {
  calls,
  deferred,
  recordingListener,
  scriptedAgent,
} from '../../../../test/support/scripted-agent.js';
import { MaxTurnsExceededException } from '../errors/max-turns-exceeded.exception.js';
import { OperatorContext } from '../operators/operator.context.js';
import { InMemoryRunStore } from '../runs/in-memory-run.store.js';
import type { RunLog, RunOutcome } from '../runs/run.store.js';
import { InMemoryConversationStore } from '../sessions/in-memory-conversation.store.js';

const root = OperatorContext.root();

/** A run store whose log does what it is told; keeps the outcomes it hears. */
function storeWith(log: Partial<RunLog>) {
  const outcomes: RunOutcome[] = [];
  const open = (): RunLog => ({
    answered: () => {},
    toolCompleted: () => {},
    ended: (outcome) => void outcomes.push(outcome),
    ...log,
  });
  return { store: Object.assign(new InMemoryRunStore(), { open }), outcomes };
}

describe('a run log that fails', () => {
  it('at an answer leaves no call without its result', async () => {
    const listener = recordingListener();
    const ping = vi.fn();
    const { store, outcomes } = storeWith({ answered: () => Promise.reject(new Error('disk full')) });
    const { agent } = scriptedAgent({
      script: [calls(['ping'])],
      tools: { ping },
      services: { runs: store, listeners: [listener] },
    });
    const error = await rejection(agent.execute('go', root));
    expect(error).toMatchObject({ code: 'error', message: expect.stringContaining('disk full') });
    expect(pairingFaults(error.checkpoint.conversation)).toEqual([]);
    expect(ping).not.toHaveBeenCalled();
    expect(exits(listener.heard)).toEqual(['error']);
    expect(outcomes).toMatchObject([{ exitReason: 'error' }]);
  });

  it('at a tool result waits for the other tools, and keeps what they gave', async () => {
    const gate = deferred<string>();
    let running = false;
    const listener = recordingListener();
    const { store } = storeWith({
      toolCompleted: ({ toolName }) =>
        toolName === 'quick' ? Promise.reject(new Error('disk full')) : undefined,
    });
    const { agent } = scriptedAgent({
      script: [calls(['quick'], ['slow'])],
      tools: {
        quick: () => 'quick done',
        slow: async (_: never, { signal }: OperatorContext) => {
          running = true;
          signal.addEventListener('abort', () => setImmediate(() => gate.resolve('slow done')));
          await gate.promise;
          running = false;
        },
      },
      services: { runs: store, listeners: [listener] },
    });
    const error = await rejection(agent.execute('go', root));
    expect(running).toBe(false);
    expect(error.message).toContain('disk full');
    expect(pairingFaults(error.checkpoint.conversation)).toEqual([]);
    expect(error.checkpoint.conversation.find(({ role }: { role: string }) => role === 'tool').content).toBe(
      'quick done',
    );
    expect(listener.heard.at(-1)?.name).toBe('onAgentLoopExited');
  });

  it('at the result of a call that was not made leaves the conversation whole', async () => {
    const { store } = storeWith({ toolCompleted: () => Promise.reject(new Error('disk full')) });
    const { agent } = scriptedAgent({
      script: [{ ...calls(['ping']), finishReason: 'length' }],
      tools: { ping: () => 'pong' },
      services: { runs: store },
    });
    const error = await rejection(agent.execute('go', root));
    expect(error.checkpoint.conversation).toHaveLength(3);
    expect(pairingFaults(error.checkpoint.conversation)).toEqual([]);
  });

  it('at the end of a good run makes it a failed one, for listeners too', async () => {
    const listener = recordingListener();
    const { store } = storeWith({ ended: () => Promise.reject(new Error('disk full')) });
    const { agent } = scriptedAgent({
      script: [{ text: 'done' }],
      services: { runs: store, listeners: [listener] },
    });
    const error = await rejection(agent.execute('go', root));
    expect(error).toMatchObject({ message: expect.stringContaining('disk full'), runId: expect.any(String) });
    expect(error.checkpoint.conversation).toHaveLength(2);
    expect(exits(listener.heard)).toEqual(['error']);
  });

  it('at the end of a failed run does not hide why that one failed', async () => {
    const listener = recordingListener();
    const logger = { warn: vi.fn(), log: vi.fn(), error: vi.fn(), debug: vi.fn() };
    const { store } = storeWith({ ended: () => Promise.reject(new Error('disk full')) });
    const { agent } = scriptedAgent({
      script: () => calls(['ping']),
      tools: { ping: () => 'pong' },
      define: (builder) => builder.maxTurns(1),
      services: { runs: store, listeners: [listener], logger },
    });
    const error = await rejection(agent.execute('go', root));
    expect(error).toBeInstanceOf(MaxTurnsExceededException);
    expect(error.checkpoint.conversation).toHaveLength(3);
    expect(exits(listener.heard)).toEqual(['max_turns']);
    expect(JSON.stringify([logger.warn.mock.calls, logger.error.mock.calls])).toContain('disk full');
  });
});

describe('a part that never answers does not hold an aborted run', () => {
  afterEach(() => void vi.useRealTimers());
  const never = (): Promise<never> => new Promise(() => {});
  const sessions = new InMemoryConversationStore();

  it.each([
    ['the run store, opening', { runs: Object.assign(new InMemoryRunStore(), { open: never }) }],
    ['the run log, at an answer', { runs: storeWith({ answered: never }).store }],
    ['the run log, at a result', { runs: storeWith({ toolCompleted: never }).store }],
    ['the run log, at the end', { runs: storeWith({ ended: never }).store }],
    [
      'the session store, loading',
      { sessions: Object.assign(new InMemoryConversationStore(), { load: never }) },
    ],
    [
      'the session store, saving',
      { sessions: Object.assign(new InMemoryConversationStore(), { append: never }) },
    ],
  ])('%s', async (_, services) => {
    vi.useFakeTimers();
    const controller = new AbortController();
    const { agent } = scriptedAgent({
      script: [calls(['ping']), { text: 'done' }],
      tools: { ping: () => 'pong' },
      services: { sessions, ...services },
    });
    const context = OperatorContext.root({ signal: controller.signal, sessionId: 's' });
    const failing = rejection(agent.execute('go', context));
    await vi.advanceTimersByTimeAsync(1);
    controller.abort(new Error('enough'));
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await failing).toMatchObject({ code: 'aborted', runId: expect.any(String) });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('the visibility rule of a tool', async () => {
    const controller = new AbortController();
    const { agent, provider } = scriptedAgent({
      script: [],
      tools: { pay: () => 1 },
      metadata: { pay: { visible: never } },
    });
    const failing = rejection(agent.execute('go', OperatorContext.root({ signal: controller.signal })));
    controller.abort(new Error('enough'));
    expect(await failing).toMatchObject({ code: 'aborted' });
    expect(provider.requests).toHaveLength(0);
  });

  it('the approval rule of a tool', async () => {
    vi.useFakeTimers();
    const pay = vi.fn();
    const { agent } = scriptedAgent({
      script: [calls(['pay']), { text: 'so be it' }],
      tools: { pay },
      metadata: { pay: { approval: never } },
      define: (builder) => builder.toolTimeout(1000),
    });
    const running = agent.execute('go', root);
    await vi.advanceTimersByTimeAsync(20_000);
    const output = await running;
    expect(output.messages[2]?.content).toContain('"timeout"');
    expect(pay).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });
});
