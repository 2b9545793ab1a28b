import { describe, expect, it } from 'vitest';
import { endOfTurn } from '../../../../test/support/provider-server.js';
import { exits, rejection } from '../../../../test/support/run-outcome.js';
import {
  calls,
  deferred,
  recordingListener,
  scriptedAgent,
} from '../../../../test/support/scripted-agent.js';
import { AgentException } from '../errors/agent.exception.js';
import { DeadlineExceededException } from '../errors/deadline-exceeded.exception.js';
import { OperatorContext } from '../operators/operator.context.js';

const root = OperatorContext.root();

const usage = {
  promptTokens: 1,
  completionTokens: 1,
  totalTokens: 2,
  cachedTokens: 0,
  reasoningTokens: 0,
};
describe('an error that leaves a run', () => {
  it('is about that run, though another agent inside it was stopped first', async () => {
    const inner = scriptedAgent({ script: () => ({ text: 'late', delayMs: 60_000 }) });
    const listener = recordingListener();
    const { agent } = scriptedAgent({
      script: [calls(['ask', { input: 'inner question' }])],
      tools: { ask: inner.agent.asTool('asks') },
      define: (builder) => builder.tool('ask').deadline(50),
      services: { listeners: [listener] },
    });
    const error = await rejection(agent.execute('outer question', root, { runId: 'outer' }));
    expect(error).toBeInstanceOf(DeadlineExceededException);
    expect(error.runId).toBe('outer');
    expect(error.checkpoint.conversation[0].content).toBe('outer question');
    expect(exits(listener.heard)).toEqual(['deadline']);
  });

  it('is about that run, though its operator always throws the same one', async () => {
    const stop = new AgentException('not today', { code: 'custom' });
    const { agent } = scriptedAgent({
      script: () => calls(['stop']),
      tools: {
        stop: () => {
          throw stop;
        },
      },
    });
    await rejection(agent.execute('first', root, { runId: 'a' }));
    const error = await rejection(agent.execute('second', root, { runId: 'b' }));
    expect(error).toBe(stop);
    expect(error.runId).toBe('b');
    expect(error.checkpoint.conversation[0].content).toBe('second');
  });

  it('is about that run, though a tool let the failure of another run through', async () => {
    const inner = scriptedAgent({
      script: () => calls(['ping']),
      tools: { ping: () => 'pong' },
      define: (builder) => builder.maxTurns(1),
    });
    const { agent } = scriptedAgent({
      script: () => calls(['ask']),
      tools: { ask: (_: never, context: OperatorContext) => inner.agent.execute('inner', context) },
    });
    const error = await rejection(agent.execute('outer', root, { runId: 'outer' }));
    expect(error.runId).toBe('outer');
    expect(error.checkpoint.conversation[0].content).toBe('outer');
  });

  it('tells two runs apart that one signal aborts', async () => {
    const controller = new AbortController();
    const { agent } = scriptedAgent({ script: () => ({ text: 'late', delayMs: 60_000 }) });
    const context = OperatorContext.root({ signal: controller.signal });
    const failing = ['a', 'b'].map((runId) => rejection(agent.execute(runId, context, { runId })));
    await endOfTurn();
    controller.abort(new DeadlineExceededException('someone else', 5));
    const errors = await Promise.all(failing);
    expect(errors.map(({ runId }) => runId)).toEqual(['a', 'b']);
    expect(errors.map(({ code }) => code)).toEqual(['aborted', 'aborted']);
    expect(errors.map(({ checkpoint }) => checkpoint.conversation[0].content)).toEqual(['a', 'b']);
  });

  it.each([
    ['an object without a prototype', Object.create(null)],
    ['nothing', undefined],
    ['an object that cannot be read', { toString: () => expect.unreachable('not even this') }],
  ])('is an AgentException, whatever was thrown: %s', async (_, thrown) => {
    const { agent } = scriptedAgent({
      script: () => {
        throw thrown;
      },
    });
    const error = await rejection(agent.execute('go', root));
    expect(error).toBeInstanceOf(AgentException);
    expect(error).toMatchObject({ code: 'error', runId: expect.any(String), checkpoint: { turnCount: 1 } });
  });
});

describe('a listener', () => {
  it('without a prototype that throws things without a prototype hurts nobody', async () => {
    const listener = Object.assign(Object.create(null), {
      onAgentTurnStarted: () => {
        throw Object.create(null);
      },
      onAgentLoopExited: () => Promise.reject(Object.create(null)),
    });
    const { agent } = scriptedAgent({ script: [{ text: 'ok' }], services: { listeners: [listener] } });
    expect((await agent.execute('go', root)).content).toBe('ok');
  });

  it('hears each turn in order, completions as they come, and the exit once and last', async () => {
    const listener = recordingListener();
    const slow = deferred();
    const { agent } = scriptedAgent({
      script: [{ ...calls(['slow', {}, 's'], ['quick', {}, 'q']), usage }, { text: 'done' }],
      tools: {
        slow: () => slow.promise,
        quick: () => setImmediate(slow.resolve),
      },
      services: { listeners: [listener] },
    });
    await agent.execute('go', root);
    const order = listener.heard.map(({ name, payload }) =>
      [name.replace('onAgent', ''), payload.toolCallId].filter(Boolean).join(' '),
    );
    expect(order).toEqual([
      'TurnStarted',
      'LlmCalled',
      'ToolDispatched s',
      'ToolDispatched q',
      'ToolCompleted q',
      'ToolCompleted s',
      'TurnStarted',
      'LlmCalled',
      'LoopExited',
    ]);
  });
});

describe('the output of a run', () => {
  it.each([true, false])('B159: says if its journal has lost events (%s)', async (lost) => {
    const { agent } = scriptedAgent({
      script: [{ text: 'done' }],
      services: { isJournalPartial: (runId) => lost && runId === 'r' },
    });
    const output = await agent.execute('go', OperatorContext.root(), { runId: 'r' });
    expect(output.journal).toBe(lost ? 'partial' : undefined);
    expect('journal' in output).toBe(lost);
  });
});
