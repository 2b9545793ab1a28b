import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import {
  calls,
  collectChunks,
  recordingListener,
  scriptedAgent,
} from '../../../../test/support/scripted-agent.js';
import { OperatorContext } from '../operators/operator.context.js';
import { toInputSchema } from '../operators/to-input-schema.js';
import { InMemoryDurableRunStore } from '../runs/in-memory-durable-run.store.js';

const root = OperatorContext.root();
const done = { text: 'done' };
const payInput = toInputSchema(z.object({ n: z.number() }), 'pay');

function payingAgent(script: Parameters<typeof scriptedAgent>[0]['script']) {
  const runs = new InMemoryDurableRunStore();
  const listener = recordingListener();
  const pay = vi.fn(({ n }: { n: number }) => `paid ${n}`);
  const weather = vi.fn(() => 'sunny');
  const approval = vi.fn(() => true);
  const made = scriptedAgent({
    script,
    tools: { pay, weather },
    metadata: { pay: { approval, input: payInput } },
    services: { runs, listeners: [listener] },
  });
  return { ...made, runs, listener, pay, weather, approval };
}

async function suspended(agent: ReturnType<typeof payingAgent>) {
  const output = await agent.agent.execute('go', root);
  expect(output.exitReason).toBe('suspended');
  return output;
}

const toolTexts = (messages: readonly { role: string; content: string | null }[]) =>
  messages.filter(({ role }) => role === 'tool').map(({ content }) => content);

describe('a tool that needs a person', () => {
  it('B117: waits, while the others of its turn run once', async () => {
    const made = payingAgent([calls(['weather', {}, 'w'], ['pay', { n: 5 }, 'p']), done]);
    const { runId, pendingApprovals, checkpoint } = await suspended(made);
    expect(made.pay).not.toHaveBeenCalled();
    expect(pendingApprovals).toEqual([
      {
        toolCallId: 'p',
        toolName: 'pay',
        reason: 'approval',
        arguments: { n: 5 },
        argumentsHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ]);
    expect(checkpoint).toMatchObject({ turnCount: 0, conversation: [{ role: 'user' }] });
    expect(made.runs.find(runId)?.status).toBe('suspended');
    made.runs.decide(runId, pendingApprovals[0]!.argumentsHash, { toolCallId: 'p', decision: 'approve' });
    const output = await made.agent.recover(made.runs.claim(runId)!, root);
    expect(output).toMatchObject({ content: 'done', exitReason: 'stop', runId, turnsUsed: 2 });
    expect(toolTexts(output.messages)).toEqual(['sunny', 'paid 5']);
    expect(made.weather).toHaveBeenCalledTimes(1);
    expect(made.pay).toHaveBeenCalledTimes(1);
    expect(made.provider.requests).toHaveLength(2);
  });

  it('B119: all that wait are told of', async () => {
    const made = payingAgent([calls(['pay', { n: 1 }, 'a'], ['pay', { n: 2 }, 'b'], ['pay', { n: 3 }, 'c'])]);
    const { pendingApprovals } = await suspended(made);
    expect(pendingApprovals.map(({ toolCallId }) => toolCallId)).toEqual(['a', 'b', 'c']);
  });

  it('B121: ends a stream with done', async () => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    const made = payingAgent([calls(['pay', { n: 1 }, 'a'])]);
    const chunks = await collectChunks(made.streaming, 'go');
    expect(chunks.at(-1)).toMatchObject({ type: 'done', finalOutput: { exitReason: 'suspended' } });
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });

  it('B123: is asked about once, and a rejection’s reason reaches the model', async () => {
    const made = payingAgent([calls(['pay', { n: 1 }, 'a'], ['pay', { n: 9 }, 'b']), done]);
    const { runId, pendingApprovals } = await suspended(made);
    const [a, b] = pendingApprovals;
    made.runs.decide(runId, a!.argumentsHash, { toolCallId: 'a', decision: 'approve' });
    expect(made.runs.claim(runId)).toBeUndefined();
    made.runs.decide(runId, b!.argumentsHash, { toolCallId: 'b', decision: 'reject', reason: 'too much' });
    const output = await made.agent.recover(made.runs.claim(runId)!, root);
    expect(toolTexts(output.messages)).toEqual(['paid 1', expect.stringMatching(/not_approved.*too much/)]);
    expect(made.approval).toHaveBeenCalledTimes(2);
    expect(made.runs.claim(runId)).toBeUndefined();
  });

  it('is called with edited arguments, checked again', async () => {
    const made = payingAgent([calls(['pay', { n: 1 }, 'a'], ['pay', { n: 2 }, 'b']), done]);
    const { runId, pendingApprovals } = await suspended(made);
    const edits = { a: { n: 7 }, b: { n: 'seven' } };
    for (const { toolCallId, argumentsHash } of pendingApprovals) {
      const args = edits[toolCallId as 'a' | 'b'];
      made.runs.decide(runId, argumentsHash, { toolCallId, decision: 'approve', arguments: args });
    }
    const output = await made.agent.recover(made.runs.claim(runId)!, root);
    expect(toolTexts(output.messages)).toEqual(['paid 7', expect.stringContaining('invalid_arguments')]);
  });

  it('B127, B129: takes no decision that was not asked for, is about other arguments, or comes twice', async () => {
    const made = payingAgent([calls(['pay', { n: 1 }, 'a'], ['weather', {}, 'w']), done]);
    const { runId, pendingApprovals } = await suspended(made);
    const { argumentsHash } = pendingApprovals[0]!;
    const approve = (toolCallId: string, hash = argumentsHash, run = runId) => {
      made.runs.decide(run, hash, { toolCallId, decision: 'approve' });
    };
    expect(() => approve('x')).toThrow(expect.objectContaining({ code: 'approval_unknown' }));
    expect(() => approve('w')).toThrow(expect.objectContaining({ code: 'approval_unknown' }));
    expect(() => approve('a', argumentsHash, 'other')).toThrow(
      expect.objectContaining({ code: 'approval_unknown' }),
    );
    expect(() => approve('a', 'f'.repeat(64))).toThrow(expect.objectContaining({ code: 'approval_changed' }));
    approve('a');
    expect(() => approve('a')).toThrow(expect.objectContaining({ code: 'approval_decided' }));
    expect(made.pay).not.toHaveBeenCalled();
  });

  it('tells no exit until the run has really ended', async () => {
    const made = payingAgent([calls(['pay', { n: 1 }, 'a']), done]);
    const { runId, pendingApprovals } = await suspended(made);
    const exits = () => made.listener.heard.filter(({ name }) => name === 'onAgentLoopExited');
    expect(exits()).toHaveLength(0);
    made.runs.decide(runId, pendingApprovals[0]!.argumentsHash, { toolCallId: 'a', decision: 'approve' });
    await made.agent.recover(made.runs.claim(runId)!, root);
    expect(exits()).toHaveLength(1);
  });

  it('is not asked about when its arguments do not fit', async () => {
    const made = payingAgent([calls(['pay', { n: 'x' }, 'a']), done]);
    const output = await made.agent.execute('go', root);
    expect(toolTexts(output.messages)[0]).toContain('invalid_arguments');
  });

  it('lets nobody write who no longer owns the run', async () => {
    const runs = new InMemoryDurableRunStore();
    const first = runs.open({ runId: 'r', agentId: 'a', sessionId: undefined, input: [] });
    await first.suspended?.([]);
    expect(runs.claim('r')).toBeDefined();
    expect(() => first.ended({ exitReason: 'stop', turnsUsed: 1, totalTokens: 0, error: undefined })).toThrow(
      expect.objectContaining({ code: 'lease_lost' }),
    );
  });
});

describe('a durable run', () => {
  it('that would lose its caller is refused', async () => {
    const made = payingAgent([done]);
    const context = OperatorContext.root({ caller: { user: 'ann' } });
    await expect(made.agent.execute('go', context)).rejects.toMatchObject({ code: 'caller_not_kept' });
    expect(made.provider.requests).toHaveLength(0);
  });

  it('keeps its ctx and its caller as the application serialises it', async () => {
    const runs = new InMemoryDurableRunStore();
    const { agent } = scriptedAgent({
      script: [calls(['pay', { n: 1 }, 'a'])],
      tools: { pay: () => 1 },
      metadata: { pay: { approval: true } },
      services: {
        runs,
        callerCodec: {
          serialize: (caller) => (caller as { user: string }).user,
          restore: (user) => ({ user }),
        },
      },
    });
    const context = OperatorContext.root({ caller: { user: 'ann' }, graphContext: { tenant: 7 } });
    const { runId } = await agent.execute('go', context);
    expect(runs.history(runId)?.run).toMatchObject({ caller: 'ann', ctx: { tenant: 7 } });
  });

  it('stops when the right to write is lost', async () => {
    const lost = new AbortController();
    const { agent } = scriptedAgent({
      script: () => {
        lost.abort(new Error('somebody else has the run'));
        return calls(['ping']);
      },
      tools: { ping: () => expect.unreachable('it must not be called') },
      services: {
        runs: {
          open: () => ({ answered() {}, toolCompleted() {}, ended() {}, lost: lost.signal }),
          find: () => undefined,
          list: () => [],
        },
      },
    });
    await expect(agent.execute('go', root)).rejects.toMatchObject({ code: 'aborted' });
  });
});
