// A process that ends one run, which an earlier one has left, and then ends itself at one point of another.
import { OperatorContext } from '@nestor/core';
import {
  AgentDatabase,
  EventJournalBridge,
  JournalTable,
  JournalWriter,
  TypeOrmConversationStore,
  TypeOrmRunStore,
  type ClaimedRun,
} from '@nestor/typeorm';
import { crashAgent, questionOf, type Witness } from './crash-agent.js';
import { appendEffect } from './effects.js';
import { FAIL_POINT_TOOLS } from './fail-points.js';
import { around, noteFound, witnessedLog, witnessedSessions } from './witnessed.js';

/** What the process is given, as JSON. A run has the name of the point that it is left at. */
export interface FailPointWork {
  readonly url: string;
  readonly effectsFile: string;
  readonly left?: FailPointRun;
  readonly next?: FailPointRun;
}

export interface FailPointRun {
  readonly point: string;
  readonly sessionId: string;
}

const { url, effectsFile, left, next } = JSON.parse(process.argv[2] ?? '') as FailPointWork;
let armed: string | undefined;

const logger = { log() {}, warn: tell, error: tell };
const database = await AgentDatabase.open({ url }, { migrations: 'check', logger });
const writer = new JournalWriter(new JournalTable(database), logger);
const journal = new EventJournalBridge(writer);
// As if the time of the leases were over.
await database.query('UPDATE agent_run SET lease_until = 1 WHERE lease_until IS NOT NULL');
await database.query('DELETE FROM agent_lease');

const witness: Witness = {
  note: (effect) => appendEffect(effectsFile, effect),
  at: (point) => {
    if (point !== armed) return;
    appendEffect(effectsFile, { kind: 'point', name: point, key: point });
    process.kill(process.pid, 'SIGKILL');
  },
};
const store = new TypeOrmRunStore(database, { journal });
const agent = crashAgent({
  ...witness,
  tools: FAIL_POINT_TOOLS,
  longestCallMs: 0,
  sessions: witnessedSessions(witness, new TypeOrmConversationStore(database)),
  runs: {
    open: async (run) =>
      witnessedLog(witness, { run, answers: [] }, await around(witness, 'open', () => store.open(run))),
    find: (runId) => store.find(runId),
    list: (query) => store.list(query),
  },
});

function tell(text: unknown): void {
  process.stderr.write(`${String(text)}\n`);
}

/** Asks as a client does, who waits for the answer. */
async function ask({ point: runId, sessionId }: FailPointRun): Promise<void> {
  await agent.execute([questionOf(runId)], OperatorContext.root({ sessionId }), { runId });
}

async function goOn({ history, log }: ClaimedRun): Promise<void> {
  const { sessionId } = history.run;
  noteFound(witness, history);
  const recovered = { history, log: witnessedLog(witness, history, log) };
  await agent.recover(recovered, OperatorContext.root({ sessionId }));
}

async function approveAll(runId: string): Promise<void> {
  const history = await store.history(runId);
  for (const { approvals } of history?.calls.values() ?? []) {
    const { request, decision } = approvals.at(-1) ?? {};
    if (!request || decision) continue;
    await store.decide(runId, request.argumentsHash, { toolCallId: request.toolCallId, decision: 'approve' });
  }
}

/** Brings a run to its end. */
async function carry(runId: string): Promise<void> {
  for (;;) {
    const summary = await store.find(runId);
    if (summary?.endedAt !== undefined) return;
    if (summary?.status === 'suspended') await approveAll(runId);
    const claimed = await around(witness, 'claim', () => store.claim(runId));
    if (!claimed) throw new Error(`${runId} is ${summary?.status} and cannot be taken.`);
    await goOn(claimed);
  }
}

async function begin({ point: runId, sessionId }: FailPointRun): Promise<void> {
  await store.enqueue({ runId, agentId: 'agent', sessionId, input: [questionOf(runId)] });
  await carry(runId);
}

if (left) {
  // Before it is opened there is no run: its client asks again.
  if (await store.find(left.point)) await carry(left.point);
  else await ask(left).then(() => carry(left.point));
}
if (next) {
  armed = next.point;
  if (next.point.endsWith(':open')) await ask(next);
  else await begin(next);
  throw new Error(`${next.point} was not reached.`);
}
await store.close();
await writer.close();
await database.close();
