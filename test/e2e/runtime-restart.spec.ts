import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { serverEvents, type ServerEvent } from '../support/http-agents.js';
import { LoopbackServer } from '../support/loopback-server.js';
import { buildRuntime, type BuiltRuntime } from '../support/runtime-build.js';
import { RuntimeProcess } from '../support/runtime-process.js';
import { deferred } from '../support/scripted-agent.js';
import { sendAnswer, type ChatBody, type ServedAnswer } from '../support/served-agent.js';

const LEASE_MS = 1_500;
/** The lease, the time until somebody looks, and a busy machine. */
const TAKE_OVER = { timeout: 20_000, interval: 50 };

const HELP: readonly ServedAnswer[] = [
  {
    calls: [
      { id: 'ticket', name: 'createTicket', arguments: '{"subject":"Export","description":"It is empty"}' },
      { id: 'lookup', name: 'lookupCustomer', arguments: '{"email":"ben@example.com"}' },
    ],
  },
  { calls: [{ id: 'search', name: 'searchKnowledgeBase', arguments: '{"query":"export"}' }] },
  { text: 'Your ticket is open.' },
];
const REFUND: readonly ServedAnswer[] = [
  { calls: [{ id: 'r', name: 'refundInvoice', arguments: '{"invoice":"INV-1042","reason":"Twice"}' }] },
  { text: 'It is paid back.' },
];

/** A model that outlives the runtime, and can keep it waiting for an answer. */
async function startModel(script: readonly ServedAnswer[]) {
  /** How often each turn was asked for. */
  const asked: number[] = Array.from({ length: script.length + 1 }, () => 0);
  let silentTurn = 0;
  let whenAsked = deferred();
  const server = await LoopbackServer.start((response, { body }) => {
    const request = JSON.parse(body) as ChatBody;
    const turn = 1 + request.messages.filter(({ role }) => role === 'assistant').length;
    asked[turn] = (asked[turn] ?? 0) + 1;
    if (turn === silentTurn) whenAsked.resolve();
    else sendAnswer(response, request, script[turn - 1] ?? { text: 'There is nothing more to say.' });
  });
  return {
    url: server.url,
    asked,
    /** Gives no answer to that turn from now on; the promise resolves when it is asked for. 0: answers all. */
    keepSilent(turn: number): Promise<void> {
      silentTurn = turn;
      whenAsked = deferred();
      return whenAsked.promise;
    },
    stop: () => server.stop(),
  };
}

/** The events of a run over several processes, as a browser's EventSource collects them. */
class Watcher {
  readonly events: ServerEvent[] = [];

  /** Resolves when the stream ends, also by the end of the server. */
  async watch(url: string, runId: string): Promise<void> {
    const last = this.events.at(-1)?.id;
    const headers = { accept: 'text/event-stream', ...(last !== undefined && { 'last-event-id': last }) };
    try {
      const response = await fetch(`${url}/runs/${runId}/events`, { headers });
      for await (const event of serverEvents(response)) this.events.push(event);
    } catch {
      // The server was killed.
    }
  }
}

let built: BuiltRuntime;
beforeAll(async () => void (built = await buildRuntime()), 120_000);
afterAll(() => rm(built.directory, { recursive: true, force: true }));

describe('A runtime that is killed', () => {
  let folder: string;
  let model: Awaited<ReturnType<typeof startModel>>;
  let processes: RuntimeProcess[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'nestor-runtime-'));
    processes = [];
  });
  afterEach(async () => {
    for (const runtime of processes) await runtime.kill();
    await model.stop();
    await rm(folder, { recursive: true });
  });

  async function startRuntime(): Promise<RuntimeProcess> {
    const runtime = await RuntimeProcess.start(built.file, {
      DATABASE_URL: `sqlite:${join(folder, 'agent.db')}`,
      OPENAI_BASE_URL: model.url,
      NESTOR_LEASE_MS: String(LEASE_MS),
    });
    processes.push(runtime);
    return runtime;
  }

  async function call({ url }: RuntimeProcess, path: string, body?: object): Promise<any> {
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    };
    const response = await fetch(url + path, body && init);
    return response.json();
  }

  const ask = (runtime: RuntimeProcess): Promise<any> =>
    call(runtime, '/agents/customerSupport/runs', { input: 'Help me', sessionId: 'ann' });

  async function ended(runtime: RuntimeProcess, runId: string): Promise<any> {
    return vi.waitUntil(async () => {
      const run = await call(runtime, `/runs/${runId}`);
      return run.endedAt === undefined ? undefined : run;
    }, TAKE_OVER);
  }

  /** By the lines of the support desk's audit log, in all processes. */
  function timesRun(tool: string): number {
    const output = processes.map((runtime) => runtime.output).join('\n');
    return output.split(`: ${tool} `).length - 1;
  }

  it('goes on with its runs: no tool runs twice, no answer is asked for twice, no event is missing', async () => {
    model = await startModel(HELP);
    let runtime = await startRuntime();
    const watcher = new Watcher();
    let silence = model.keepSilent(2);
    const asking = ask(runtime).catch(() => {});
    await silence;
    const [{ runId }] = (await call(runtime, '/runs?session=ann&status=running')).runs;
    // Killed while the model is asked for its second answer, and again for its third one.
    for (const [nextSilentTurn, eventsSoFar] of [
      [3, 6],
      [0, 10],
    ] as const) {
      const watching = watcher.watch(runtime.url, runId);
      await vi.waitFor(() => expect(watcher.events).toHaveLength(eventsSoFar));
      await runtime.kill();
      await watching;
      silence = model.keepSilent(nextSilentTurn);
      runtime = await startRuntime();
      if (nextSilentTurn !== 0) await silence;
    }
    await asking;
    await watcher.watch(runtime.url, runId);

    expect(await ended(runtime, runId)).toMatchObject({
      status: 'completed',
      outcome: { exitReason: 'stop', turnsUsed: 3 },
      output: { content: 'Your ticket is open.', finishReason: 'stop' },
      pendingApprovals: [],
      steps: [
        { kind: 'answer', turn: 1 },
        { kind: 'tool', turn: 1, tool: 'createTicket', toolCallId: 'ticket', status: 'done' },
        { kind: 'tool', turn: 1, tool: 'lookupCustomer', toolCallId: 'lookup', status: 'done' },
        { kind: 'answer', turn: 2 },
        { kind: 'tool', turn: 2, tool: 'searchKnowledgeBase', toolCallId: 'search', status: 'done' },
        { kind: 'answer', turn: 3, text: 'Your ticket is open.', finishReason: 'stop' },
      ],
    });
    for (const tool of ['createTicket', 'lookupCustomer', 'searchKnowledgeBase'])
      expect(timesRun(tool)).toBe(1);
    expect(model.asked.slice(1)).toEqual([1, 2, 2]);
    expect((await call(runtime, '/sessions/ann')).messages.map(({ role }: { role: string }) => role)).toEqual(
      ['user', 'assistant', 'tool', 'tool', 'assistant', 'tool', 'assistant'],
    );

    const { events } = await call(runtime, `/runs/${runId}/events`);
    const numbers = events.map(({ sequenceNumber }: { sequenceNumber: number }) => sequenceNumber);
    expect(numbers).toEqual(Array.from(events, (_, index) => index + 1));
    expect(events.at(-1)).toMatchObject({ type: 'AGENT_LOOP_EXITED', payload: { exitReason: 'stop' } });
    const completed = events.filter(({ type }: { type: string }) => type === 'AGENT_TOOL_COMPLETED');
    expect(completed).toHaveLength(3);
    // Over three processes the watcher got each of them once.
    expect(watcher.events.map(({ data }) => data)).toEqual(events);
  }, 90_000);

  it('still waits for the person it waited for, and goes on when they have decided', async () => {
    model = await startModel(REFUND);
    const first = await startRuntime();
    const { runId, exitReason } = await ask(first);
    expect(exitReason).toBe('suspended');
    await first.kill();

    const second = await startRuntime();
    const waiting = await call(second, `/runs/${runId}`);
    expect(waiting).toMatchObject({
      status: 'suspended',
      pendingApprovals: [{ toolCallId: 'r', toolName: 'refundInvoice' }],
      steps: [{ kind: 'answer' }, { kind: 'tool', tool: 'refundInvoice', status: 'waiting' }],
    });
    expect(timesRun('refundInvoice')).toBe(0);
    const [{ argumentsHash }] = waiting.pendingApprovals;
    await call(second, `/runs/${runId}/approvals/r`, { decision: 'approve', argumentsHash });
    expect(await ended(second, runId)).toMatchObject({
      status: 'completed',
      output: { content: 'It is paid back.' },
      steps: [{ kind: 'answer' }, { kind: 'tool', status: 'done' }, { kind: 'answer' }],
    });
    expect(timesRun('refundInvoice')).toBe(1);
    expect(model.asked.slice(1)).toEqual([1, 1]);
    const { events } = await call(second, `/runs/${runId}/events`);
    expect(events.map(({ sequenceNumber: n }: { sequenceNumber: number }) => n)).toEqual(
      Array.from(events, (_, index) => index + 1),
    );
    expect(events.at(-1).type).toBe('AGENT_LOOP_EXITED');
  }, 60_000);
});
