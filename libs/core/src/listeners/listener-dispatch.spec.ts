import { afterEach, describe, expect, it, vi } from 'vitest';
import type { AgentCallbackContext } from './agent-execution.listener.js';
import { ListenerDispatch } from './listener-dispatch.js';

const context: AgentCallbackContext = {
  executionId: 'r',
  graphName: 'g',
  nodeId: 'n',
  operatorRef: 'o',
  sessionId: undefined,
  traceparent: undefined,
};
const started = { turnNumber: 1, messageCount: 1 };
const logger = () => ({
  log: vi.fn<(message: string) => void>(),
  warn: vi.fn<(message: string) => void>(),
  error: vi.fn<(message: string) => void>(),
});

describe('ListenerDispatch', () => {
  afterEach(() => void vi.useRealTimers());

  it('calls listeners in order, as methods of theirs, with payload and context', () => {
    const calls: unknown[] = [];
    class Listener {
      constructor(readonly name: string) {}
      onAgentTurnStarted(...args: unknown[]): void {
        calls.push([this.name, ...args]);
      }
    }
    const dispatch = new ListenerDispatch([new Listener('a'), {}, new Listener('b')], context, logger());
    dispatch.tell('onAgentTurnStarted', started);
    expect(calls).toEqual([
      ['a', started, context],
      ['b', started, context],
    ]);
  });

  it('logs what a listener throws or rejects with once per kind, and goes on', async () => {
    const log = logger();
    const heard = vi.fn();
    const dispatch = new ListenerDispatch(
      [
        {
          onAgentTurnStarted: () => {
            throw new Error('thrown');
          },
        },
        { onAgentTurnStarted: () => Promise.reject(new Error('rejected')) },
        { onAgentTurnStarted: heard },
      ],
      context,
      log,
    );
    dispatch.tell('onAgentTurnStarted', started);
    dispatch.tell('onAgentTurnStarted', started);
    await dispatch.settle();
    expect(heard).toHaveBeenCalledTimes(2);
    expect(log.warn.mock.calls.flat().join()).toMatch(/thrown/);
    expect(log.warn).toHaveBeenCalledTimes(2);
  });

  it('awaits open promises at the end, but not for ever', async () => {
    vi.useFakeTimers();
    const log = logger();
    const dispatch = new ListenerDispatch(
      [{ onAgentTurnStarted: () => new Promise<void>(() => {}) }],
      context,
      log,
    );
    dispatch.tell('onAgentTurnStarted', started);
    const settled = dispatch.settle();
    await vi.advanceTimersByTimeAsync(5_000);
    await settled;
    expect(log.warn).toHaveBeenCalledWith(expect.stringContaining('not awaited any longer'));
    expect(vi.getTimerCount()).toBe(0);
  });
});
