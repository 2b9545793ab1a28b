import { AgentException, OperatorContext } from '@nestor/core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { describeDatabases, type TestDatabase } from '../../../../test/support/agent-databases.js';
import { answerStep, DONE, newRun, resultStep } from '../../../../test/support/run-steps.js';
import { calls, scriptedAgent } from '../../../../test/support/scripted-agent.js';
import { AgentDatabase } from '../database/agent-database.js';
import { EventJournal } from '../journal/event-journal.js';
import { EventJournalBridge } from '../journal/event-journal.bridge.js';
import { JournalTable } from '../journal/journal.table.js';
import { JournalWriter } from '../journal/journal.writer.js';
import { TypeOrmRunStore } from './typeorm-run.store.js';

const root = OperatorContext.root();
const logger = { log() {}, warn() {}, error() {} };
const EXITED = {
  totalTurns: 1,
  totalLlmCalls: 1,
  totalLlmTokens: 6,
  totalLatencyMs: 1,
  exitReason: 'stop',
} as const;

await describeDatabases('The journal of a durable run', (server) => {
  let place: TestDatabase;
  let database: AgentDatabase;
  let store: TypeOrmRunStore;
  let journal: EventJournal;

  beforeEach(async () => {
    place = await server.create();
    database = await AgentDatabase.open(place, { logger });
    const writer = new JournalWriter(new JournalTable(database), logger);
    store = new TypeOrmRunStore(database, { journal: new EventJournalBridge(writer), maxAttempts: 2 });
    journal = new EventJournal(database);
  });
  afterEach(async () => {
    await store.close({ graceMs: 0 });
    await database.close();
    await place.drop();
  });

  const typesOf = async (runId: string) => (await journal.list({ runId })).events.map(({ type }) => type);
  const expire = (runId: string) =>
    database.query('UPDATE agent_run SET lease_until = 1 WHERE id = ?', [runId]);
  const context = (executionId: string) => ({
    executionId,
    graphName: 'agent',
    nodeId: 'agent',
    operatorRef: 'agent',
    sessionId: undefined,
    traceparent: undefined,
  });

  it('has every event of the run in its order, the exit last', async () => {
    const { agent } = scriptedAgent({
      script: [calls(['ping']), { text: 'done' }],
      tools: { ping: () => 'pong' },
      services: { runs: store },
    });
    const { runId } = await agent.execute('go', root);
    expect(await typesOf(runId)).toEqual([
      'AGENT_TURN_STARTED',
      'AGENT_LLM_CALLED',
      'AGENT_TOOL_DISPATCHED',
      'AGENT_TOOL_COMPLETED',
      'AGENT_TURN_STARTED',
      'AGENT_LLM_CALLED',
      'AGENT_LOOP_EXITED',
    ]);
    expect(await journal.verify(runId)).toMatchObject({ complete: true, exited: true, events: 7 });
    expect(store.journalCounters()).toMatchObject({ appended: 7, written: 7, queued: 0, dropped: 0 });
  });

  it('has one exit of a run that was cancelled just before its end: that of the cancellation', async () => {
    const log = await store.open(newRun({ runId: 'late' }));
    log.listen(context('late'));
    const exited = { totalTurns: 1, totalLlmCalls: 1, totalLlmTokens: 12, totalLatencyMs: 5 };
    await store.cancel('late', 'enough');
    const end = log.ended(DONE, { ...exited, exitReason: 'stop' });
    await expect(end).rejects.toMatchObject({ code: 'cancelled' });
    await log.ended({ ...DONE, exitReason: 'aborted', error: 'no' }, { ...exited, exitReason: 'aborted' });
    const { events } = await journal.list({ runId: 'late' });
    expect(events.map(({ payload }) => payload)).toMatchObject([{ exitReason: 'aborted' }]);
    expect(await journal.verify('late')).toMatchObject({ complete: true, exited: true });
  });

  it('has the events of a step if, and only if, it has the step', async () => {
    const log = await store.open(newRun({ runId: 'r' }));
    const heard = log.listen(context('r'))!;
    void heard.onAgentTurnStarted?.({ turnNumber: 1, messageCount: 1 }, context('r'));
    expect(await typesOf('r')).toEqual([]);
    const answer = answerStep(1, ['a', 'b']);
    await log.answered(answer);
    expect(await typesOf('r')).toEqual(['AGENT_TURN_STARTED']);
    void heard.onAgentToolDispatched?.(
      { turnNumber: 1, toolCallId: 'c', toolName: 'a', argumentsJson: '{}' },
      context('r'),
    );
    await expect(log.toolCompleted(resultStep(answer, 0, { ordinal: 7 }))).rejects.toThrow(AgentException);
    expect(await typesOf('r')).toEqual(['AGENT_TURN_STARTED']);
    await Promise.all([0, 1].map((ordinal) => log.toolCompleted(resultStep(answer, ordinal))));
    expect(await typesOf('r')).toEqual(['AGENT_TURN_STARTED', 'AGENT_TOOL_DISPATCHED']);
    await log.ended(DONE, EXITED);
    expect(await journal.verify('r')).toMatchObject({ complete: true, exited: true, events: 3 });
  });

  it('has the result of a call with the step of that call, and not with that of another', async () => {
    const log = await store.open(newRun({ runId: 'r' }));
    const heard = log.listen(context('r'))!;
    const answer = answerStep(1, ['a', 'b']);
    await log.answered(answer);
    for (const { toolCallId, toolName } of answer.calls.toReversed()) {
      const payload = { turnNumber: 1, toolCallId, toolName, success: true, latencyMs: 1, resultSummary: '' };
      void heard.onAgentToolCompleted?.(payload, context('r'));
    }
    await log.toolCompleted(resultStep(answer, 0));
    const told = async () =>
      (await journal.list({ runId: 'r' })).events.map(({ payload }) => payload['toolCallId']);
    expect(await told()).toEqual(['c1_0']);
    await log.toolCompleted(resultStep(answer, 1));
    expect(await told()).toEqual(['c1_0', 'c1_1']);
    expect(await journal.verify('r')).toMatchObject({ complete: true, events: 2 });
  });

  it('goes on with the next number when another takes the run over; what had no step is told again', async () => {
    const log = await store.open(newRun({ runId: 'r' }));
    const heard = log.listen(context('r'))!;
    void heard.onAgentTurnStarted?.({ turnNumber: 1, messageCount: 1 }, context('r'));
    await log.answered(answerStep(1, ['a']));
    void heard.onAgentTurnStarted?.({ turnNumber: 2, messageCount: 3 }, context('r'));
    await expire('r');
    const claimed = await store.claim('r');
    await expect(log.ended(DONE, EXITED)).rejects.toMatchObject({ code: 'lease_lost' });
    void claimed!.log
      .listen(context('r'))!
      .onAgentTurnStarted?.({ turnNumber: 2, messageCount: 3 }, context('r'));
    await claimed!.log.ended(DONE, EXITED);
    const { events } = await journal.list({ runId: 'r' });
    expect(events.map(({ type, sequenceNumber }) => [sequenceNumber, type])).toEqual([
      [1, 'AGENT_TURN_STARTED'],
      [2, 'AGENT_TURN_STARTED'],
      [3, 'AGENT_LOOP_EXITED'],
    ]);
  });

  it('has the calls that were started of a run that is cancelled after its process died, each once', async () => {
    const log = await store.open(newRun({ runId: 'r' }));
    const heard = log.listen(context('r'))!;
    const step = answerStep(1, ['a', 'b']);
    const dispatched = ({ toolCallId, toolName }: (typeof step.calls)[number]) => ({
      turnNumber: 1,
      toolCallId,
      toolName,
      argumentsJson: '{}',
    });
    await log.answered(step);
    void heard.onAgentToolDispatched?.(dispatched(step.calls[0]!), context('r'));
    await log.toolCompleted(resultStep(step, 0));
    // Nothing is committed behind the start of the second: its process is gone.
    await expire('r');
    expect(await store.cancel('r', 'enough')).toBe(true);
    const { events } = await journal.list({ runId: 'r' });
    expect(events.map(({ type, payload }) => [type, payload])).toEqual([
      ['AGENT_TOOL_DISPATCHED', dispatched(step.calls[0]!)],
      ['AGENT_TOOL_DISPATCHED', dispatched(step.calls[1]!)],
      ['AGENT_LOOP_EXITED', expect.objectContaining({ exitReason: 'aborted' })],
    ]);
    expect(await journal.verify('r')).toMatchObject({ complete: true, exited: true });
  });

  it('tells the exit of a run that is given up', async () => {
    await store.open(newRun({ runId: 'r', agentId: 'poison' }));
    for (let attempt = 1; attempt < 2; attempt++) {
      await expire('r');
      await store.claim('r');
    }
    await expire('r');
    expect(await store.claim('r')).toBeUndefined();
    expect(await store.find('r')).toMatchObject({ status: 'failed' });
    const { events } = await journal.list({ runId: 'r' });
    expect(events).toMatchObject([
      { type: 'AGENT_LOOP_EXITED', graphName: 'poison', payload: { exitReason: 'error', totalTurns: 0 } },
    ]);
  });

  it('keeps the answer of a run beside its outcome', async () => {
    const { agent } = scriptedAgent({ script: [{ text: 'the answer' }], services: { runs: store } });
    const { runId } = await agent.execute('go', root);
    expect((await store.find(runId))?.outcome).toMatchObject({
      exitReason: 'stop',
      output: { content: 'the answer', finishReason: 'stop', usage: { totalTokens: expect.any(Number) } },
    });
  });
});
