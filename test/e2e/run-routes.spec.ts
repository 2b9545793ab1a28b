import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { parseRuntimeEnvironment } from '../../apps/runtime/src/runtime-environment.js';
import { startRuntime, type Runtime } from '../../apps/runtime/src/runtime.js';
import { describeDatabases, type TestDatabase } from '../support/agent-databases.js';
import { allServerEvents, serverEvents } from '../support/http-agents.js';

const SILENT = { log() {}, warn() {}, error() {} };
const EVENTS = [
  'AGENT_TURN_STARTED',
  'AGENT_LLM_CALLED',
  'AGENT_TOOL_DISPATCHED',
  'AGENT_TOOL_COMPLETED',
  'AGENT_TURN_STARTED',
  'AGENT_LLM_CALLED',
  'AGENT_LOOP_EXITED',
];

await describeDatabases('The runtime', (server) => {
  let database: TestDatabase;
  let runtime: Runtime;

  beforeAll(async () => {
    database = await server.create();
    const environment = parseRuntimeEnvironment({ PORT: '0', DATABASE_URL: database.url });
    runtime = await startRuntime(environment, SILENT);
  });
  afterAll(async () => {
    await runtime?.app.close();
    await database.drop();
  });

  async function call(path: string, body?: object): Promise<{ status: number; body: any }> {
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: 'sid=s3cret' },
      body: JSON.stringify(body),
    };
    const response = await fetch(runtime.url + path, body && init);
    return { status: response.status, body: await response.json() };
  }

  const ask = async (input: string, sessionId: string): Promise<{ status: number; body: any }> =>
    call('/agents/customerSupport/runs', { input, sessionId });

  it('says how its database is', async () => {
    const kind = { SQLite: 'sqlite', PostgreSQL: 'postgres', MariaDB: 'mysql' }[server.name];
    const health = await call('/health');
    expect(health).toMatchObject({ status: 200, body: { status: 'ok', database: { kind, status: 'ok' } } });
    const { appended, written, dropped, queued } = health.body.journal;
    expect([dropped, appended - written - queued]).toEqual([0, 0]);
  });

  it('lists runs by agent, session and status, in pages', async () => {
    const runIds: string[] = [];
    for (const question of ['Where are my invoices?', 'My password?', 'Where are my invoices?']) {
      runIds.unshift((await ask(question, 'lists')).body.runId);
    }
    const ids = (runs: { runId: string }[]): string[] => runs.map(({ runId }) => runId);
    const all = (await call('/runs?session=lists&agent=customerSupport&status=completed')).body;
    expect(ids(all.runs).toSorted()).toEqual(runIds.toSorted());
    expect('next' in all).toBe(false);
    const first = (await call('/runs?session=lists&limit=2')).body;
    const second = (await call(`/runs?session=lists&limit=2&cursor=${first.next}`)).body;
    expect([...ids(first.runs), ...ids(second.runs)]).toEqual(ids(all.runs));
    for (const query of ['session=others', 'agent=nobody', 'session=lists&status=failed']) {
      expect((await call(`/runs?${query}`)).body).toEqual({ runs: [] });
    }
    expect((await call('/runs?cursor=gone')).status).toBe(400);
  });

  it('tells what a run did, and nothing that lets somebody in', async () => {
    const { runId, content } = (await ask('How do I reset my password?', 'steps')).body;
    const { body } = await call(`/runs/${runId}`);
    expect(body).toMatchObject({
      status: 'completed',
      sessionId: 'steps',
      outcome: { exitReason: 'stop', turnsUsed: 2 },
      output: { content, finishReason: 'stop' },
      pendingApprovals: [],
      steps: [
        { kind: 'answer', turn: 1, finishReason: 'tool_calls' },
        { kind: 'tool', turn: 1, tool: 'searchKnowledgeBase', status: 'done' },
        { kind: 'answer', turn: 2, text: content, finishReason: 'stop' },
      ],
    });
    const events = (await call(`/runs/${runId}/events`)).body;
    expect(events.events.map(({ type }: { type: string }) => type)).toEqual(EVENTS);
    expect(JSON.stringify([body, events])).not.toContain('s3cret');
  });

  it('streams the events of a run that waits, over the decision to its end', async () => {
    const started = await ask('Please refund invoice INV-1042', 'refund');
    expect(started).toMatchObject({ status: 202, body: { exitReason: 'suspended' } });
    const { runId, pendingApprovals } = started.body;
    const [{ toolCallId, argumentsHash }] = pendingApprovals;
    expect((await call(`/runs/${runId}/resume`, {})).body).toMatchObject({
      code: 'not_resumable',
      status: 409,
    });

    const accept = { accept: 'text/event-stream' };
    const path = `${runtime.url}/runs/${runId}/events`;
    const live = serverEvents(await fetch(path, { headers: accept }));
    const seen = [(await live.next()).value];
    await call(`/runs/${runId}/approvals/${toolCallId}`, { decision: 'approve', argumentsHash });
    for await (const event of live) seen.push(event);
    const numbers = seen.map((event) => Number(event?.id));
    expect(numbers).toEqual(seen.map((_, index) => index + 1));
    expect(seen.at(-1)).toMatchObject({
      event: 'AGENT_LOOP_EXITED',
      data: { payload: { exitReason: 'stop' } },
    });
    expect((await call(`/runs/${runId}/events`)).body.events).toEqual(seen.map((event) => event?.data));

    const rest = await fetch(path, { headers: { ...accept, 'last-event-id': '2' } });
    expect((await allServerEvents(rest)).map(({ id }) => Number(id))).toEqual(numbers.slice(2));
    expect((await call(`/runs/${runId}`)).body).toMatchObject({
      status: 'completed',
      output: { content: expect.stringContaining('INV-1042 is paid back') },
    });
  });

  it('does not refund what a person rejects', async () => {
    const { runId, pendingApprovals } = (await ask('Please refund invoice INV-2000', 'rejected')).body;
    const [{ toolCallId, argumentsHash }] = pendingApprovals;
    const decision = { decision: 'reject', reason: 'Too late', argumentsHash };
    expect((await call(`/runs/${runId}/approvals/${toolCallId}`, decision)).status).toBe(202);
    const { steps } = await vi.waitUntil(async () => {
      const { body } = await call(`/runs/${runId}`);
      return body.status === 'completed' ? body : undefined;
    }, 10_000);
    expect(steps[1]).toMatchObject({
      tool: 'refundInvoice',
      status: 'denied',
      text: expect.stringMatching(/Too late/),
    });
  });

  it('keeps sessions, and forgets them', async () => {
    await ask('Where are my invoices?', 'kept/1');
    await ask('And my password?', 'kept/1');
    const { body } = await call('/sessions/kept%2F1');
    expect(body).toMatchObject({ sessionId: 'kept/1', version: 2 });
    expect(body.messages.map(({ role }: { role: string }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
      'assistant',
      'tool',
      'assistant',
    ]);
    expect((await call('/sessions/kept%2F1?limit=1')).body.messages).toEqual(body.messages.slice(-1));
    expect((await call('/sessions?limit=1')).body.sessions).toMatchObject([
      { sessionId: 'kept/1', messageCount: 8 },
    ]);
    const deleted = await fetch(`${runtime.url}/sessions/kept%2F1`, { method: 'DELETE' });
    expect(deleted.status).toBe(204);
    expect((await call('/sessions/kept%2F1')).status).toBe(404);
  });
});
