import { OperatorContext, type NewRun } from '@nestor/core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { describeDatabases, type TestDatabase } from '../../../../test/support/agent-databases.js';
import { answerStep, resultStep } from '../../../../test/support/run-steps.js';
import { calls, scriptedAgent } from '../../../../test/support/scripted-agent.js';
import { AgentDatabase } from '../database/agent-database.js';
import { TypeOrmRunStore } from './typeorm-run.store.js';

const root = OperatorContext.root();
const DONE = { exitReason: 'stop', turnsUsed: 0, totalTokens: 0, error: undefined } as const;

const run = (runId: string, given: Partial<NewRun> = {}): NewRun => ({
  runId,
  agentId: 'agent',
  sessionId: undefined,
  input: [],
  ...given,
});

await describeDatabases('TypeOrmRunStore', (server) => {
  let place: TestDatabase;
  let database: AgentDatabase;
  let store: TypeOrmRunStore;
  const logged: string[] = [];
  const logger = {
    log() {},
    warn: (text: string) => logged.push(text),
    error: (text: string) => logged.push(text),
  };

  beforeEach(async () => {
    logged.length = 0;
    place = await server.create();
    database = await AgentDatabase.open(place, { logger });
    store = new TypeOrmRunStore(database);
  });
  afterEach(async () => {
    await store.close({ graceMs: 0 });
    await database.close();
    await place.drop();
  });

  const row = async (runId: string) =>
    (await database.query('SELECT * FROM agent_run WHERE id = ?', [runId])).rows[0]!;
  const expire = (runId: string) =>
    database.query('UPDATE agent_run SET lease_until = 1 WHERE id = ?', [runId]);

  it('keeps a queued run until somebody claims it', async () => {
    await store.enqueue(run('later', { caller: { user: 'ann' } }));
    expect(await store.find('later')).toMatchObject({ status: 'queued', endedAt: undefined });
    const claimed = await store.claimNext();
    expect(claimed?.history.run).toEqual(run('later', { caller: { user: 'ann' } }));
    expect(await store.find('later')).toMatchObject({ status: 'running' });
    expect(await store.claimNext()).toBeUndefined();
    await claimed?.log.ended(DONE);
  });

  it('takes every run id once, and only ids that every database keeps apart', async () => {
    const log = await store.open(run('A'));
    await expect(store.open(run('A'))).rejects.toMatchObject({ code: 'run_exists' });
    await expect(store.enqueue(run('A'))).rejects.toMatchObject({ code: 'run_exists' });
    await store.enqueue(run('a'));
    for (const id of ['', 'a b', 'é', 'x'.repeat(65)]) {
      await expect(store.open(run(id))).rejects.toMatchObject({ code: 'invalid_run_id' });
    }
    await log.ended(DONE);
  });

  it('refuses options that make no sense', () => {
    for (const options of [{ leaseMs: 99 }, { leaseMs: 1e12 }, { leaseMs: NaN }, { maxAttempts: 0 }]) {
      expect(() => new TypeOrmRunStore(database, options)).toThrow(
        expect.objectContaining({ code: 'invalid_options' }),
      );
    }
  });

  it('counts what a run uses, also after it was taken over', async () => {
    const usage = {
      promptTokens: 5,
      completionTokens: 3,
      totalTokens: 9,
      cachedTokens: 0,
      reasoningTokens: 0,
    };
    const answer = (turn: number) => ({
      turn,
      response: { message: { role: 'assistant' as const, content: '' }, finishReason: 'tool_calls', usage },
      calls: [{ ordinal: 0, toolCallId: `c${turn}`, toolName: 't', idempotencyKey: `k${turn}` }],
    });
    const log = await store.open(run('r'));
    await log.answered(answer(1));
    await expire('r');
    const claimed = await store.claim('r');
    await claimed?.log.answered(answer(2));
    expect(Object.values(await row('r')).map(String)).toEqual(expect.arrayContaining(['10', '6', '18']));
    expect(await row('r')).toMatchObject({ turn: 2, total_llm_calls: 2, total_tool_calls: 2 });
    await expect(
      claimed?.log.toolCompleted({
        ...answer(2).calls[0]!,
        ordinal: 5,
        turn: 2,
        success: true,
        text: '',
        result: '',
      }),
    ).rejects.toMatchObject({ code: 'unknown_step' });
    await claimed?.log.ended(DONE);
  });

  it('says how each call came out', async () => {
    const { agent } = scriptedAgent({
      script: [calls(['fine', {}, 'a'], ['broken', {}, 'b'], ['nothing', {}, 'c']), { text: 'done' }],
      tools: {
        fine: () => 1,
        broken: () => {
          throw new Error('no');
        },
      },
      services: { runs: store },
    });
    const { runId } = await agent.execute('go', root);
    const { rows } = await database.query(
      'SELECT step_key, status, tool, call_id, idempotency_key FROM agent_step WHERE run_id = ? ORDER BY turn, ordinal',
      [runId],
    );
    expect(rows.map(({ step_key, status, tool }) => [step_key, status, tool])).toEqual([
      ['answer', 'done', null],
      ['tool:0', 'done', 'fine'],
      ['tool:1', 'failed', 'broken'],
      ['tool:2', 'failed', 'nothing'],
      ['answer', 'done', null],
    ]);
    expect(rows[2]).toMatchObject({ call_id: 'b', idempotency_key: `${runId}:1:1` });
  });

  it('lists by agent, session and status, in pages', async () => {
    const ids = ['1', '2', '3', '4', '5'];
    for (const id of ids) {
      await store.enqueue(
        run(id, { agentId: Number(id) % 2 ? 'odd' : 'even', sessionId: id < '3' ? 'early' : 'late' }),
      );
      await database.query('UPDATE agent_run SET created_at = ? WHERE id = ?', [
        1_000 + Math.floor(Number(id) / 2),
        id,
      ]);
    }
    const listed = async (query: Parameters<TypeOrmRunStore['list']>[0]) =>
      (await store.list(query)).map(({ runId }) => runId).join('');
    expect(await listed({})).toBe('54321');
    expect(await listed({ agentId: 'odd' })).toBe('531');
    expect(await listed({ agentId: 'odd', sessionId: 'late' })).toBe('53');
    expect(await listed({ status: 'running' })).toBe('');
    expect(await listed({ status: 'queued', limit: 2 })).toBe('54');
    expect(await listed({ limit: 2, before: '4' })).toBe('32');
    expect(await listed({ before: '1' })).toBe('');
    await expect(store.list({ before: 'x' })).rejects.toMatchObject({ code: 'unknown_run' });
  });

  it('gives a run up that was taken ten times without an end', async () => {
    await store.enqueue(run('killer'));
    for (let attempt = 1; attempt <= 10; attempt++) {
      const claimed = await store.claimNext();
      expect(claimed?.history.run.runId).toBe('killer');
      await expire('killer');
    }
    await store.enqueue(run('other'));
    const other = await store.claimNext();
    expect(other?.history.run.runId).toBe('other');
    expect(await store.claimNext()).toBeUndefined();
    expect(await store.find('killer')).toMatchObject({
      status: 'failed',
      outcome: { exitReason: 'error', error: expect.stringMatching(/given up: 10 processes/) },
    });
    expect(logged.join()).toContain('killer');
    await other?.log.ended(DONE);
  });

  it('does not count those that waited for people', async () => {
    const log = await store.open(run('patient'));
    await log.suspended([]);
    for (let round = 0; round < 12; round++) await (await store.claim('patient'))?.log.suspended([]);
    expect(await store.find('patient')).toMatchObject({ status: 'suspended' });
  });

  it('does not count those that recorded a step: only attempts in a row that came to nothing', async () => {
    await store.enqueue(run('slow'));
    const answers = Array.from({ length: 8 }, (_, index) => answerStep(index + 1, ['a']));
    for (const answer of answers) {
      for (const write of ['answered', 'toolCompleted', 'toolStarted'] as const) {
        const claimed = await store.claim('slow');
        if (write === 'answered') await claimed!.log.answered(answer);
        if (write === 'toolCompleted') await claimed!.log.toolCompleted(resultStep(answer, 0));
        if (write === 'toolStarted') await claimed!.log.toolStarted(answer.calls[0]!);
        await expire('slow');
      }
    }
    // A call that was begun again is none: the last result was the first of two attempts.
    for (let attempt = 3; attempt <= 10; attempt++) {
      expect(await store.claim('slow')).toBeDefined();
      await expire('slow');
    }
    expect(await store.claim('slow')).toBeUndefined();
    expect(await store.find('slow')).toMatchObject({ status: 'failed' });
  });

  it('names a row that cannot be read', async () => {
    await store.enqueue(run('broken'));
    await database.query('UPDATE agent_run SET input = ? WHERE id = ?', ['{', 'broken']);
    await expect(store.history('broken')).rejects.toMatchObject({
      code: 'corrupt_row',
      message: expect.stringContaining('agent_run.input'),
    });
  });
});
