import { describe, expect, it, vi } from 'vitest';
import { OperatorContext } from './operator.context.js';

describe('OperatorContext', () => {
  it('starts with nobody and nothing', () => {
    const root = OperatorContext.root();
    expect(root).toMatchObject({
      executionId: '',
      graphName: 'root',
      turnNumber: 0,
      agentDepth: 0,
      graphContext: {},
    });
    expect([root.caller, root.sessionId, root.toolCallId, root.idempotencyKey]).toEqual(
      Array(4).fill(undefined),
    );
    expect(root.signal.aborted).toBe(false);
    expect(() => root.logger.warn('heard by nobody')).not.toThrow();
  });

  it('takes what it is given', () => {
    const caller = { user: 'ada' };
    const { signal } = new AbortController();
    const root = OperatorContext.root({ caller, sessionId: 's1', signal });
    expect(root.caller).toBe(caller);
    expect(root.sessionId).toBe('s1');
    expect(root.signal).toBe(signal);
  });

  it('hands everything down to a child but what is given anew', () => {
    const controller = new AbortController();
    const caller = { user: 'ada' };
    const root = OperatorContext.root({ caller, executionId: 'run', signal: controller.signal });
    const child = root.child({ nodeId: 'search', toolCallId: 'c1' });
    expect(child).toMatchObject({ executionId: 'run', nodeId: 'search', toolCallId: 'c1' });
    expect(child.caller).toBe(caller);
    controller.abort();
    expect(child.signal.aborted).toBe(true);
    const own = new AbortController();
    expect(child.child({}, () => own.signal).signal).toBe(own.signal);
    expect(root.nodeId).toBe('root');
  });

  it('makes no signal before somebody asks', () => {
    const signal = vi.fn(() => new AbortController().signal);
    const context = OperatorContext.root().child({ nodeId: 'a' }, signal).child({ nodeId: 'b' });
    expect(signal).not.toHaveBeenCalled();
    expect(context.signal.aborted).toBe(false);
    expect(signal).toHaveBeenCalledOnce();
  });
});
