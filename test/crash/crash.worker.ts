// A process that executes runs until it is killed, or until all have ended once its input is closed.
import { setTimeout as pause } from 'node:timers/promises';
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
import { crashAgent, type Witness } from './crash-agent.js';
import type { CrashWorkerOptions } from './crew.js';
import { appendEffect } from './effects.js';
import { noteFound, witnessedLog } from './witnessed.js';

const options = JSON.parse(process.argv[2] ?? '') as CrashWorkerOptions;
const { url, effectsFile, leaseMs, maxAttempts } = options;
/** More than are left behind, and than wait for the sessions of others: whatever is free is taken at once. */
const MOST_AT_ONCE = 32;
const POLL_MS = 20;

let finishing = false;
process.stdin.on('end', () => (finishing = true)).resume();

const logger = { log() {}, warn: tell, error: tell };
const database = await AgentDatabase.open({ url }, { migrations: 'check', logger });
const writer = new JournalWriter(new JournalTable(database), logger);
const store = new TypeOrmRunStore(database, {
  leaseMs,
  ...(maxAttempts !== undefined && { maxAttempts }),
  journal: new EventJournalBridge(writer),
});
const sessions = new TypeOrmConversationStore(database, { leaseMs });

const witness: Witness = {
  note: (effect) => {
    appendEffect(effectsFile, effect);
    if (effect.kind === 'call') process.stdout.write('.');
  },
  at: () => {},
};
const agent = crashAgent({ ...witness, tools: ['keyed', 'once', 'pure'], longestCallMs: 4, sessions });

function tell(text: unknown): void {
  process.stderr.write(`${String(text)}\n`);
}

async function goOn({ history, log }: ClaimedRun): Promise<void> {
  const { runId, sessionId } = history.run;
  noteFound(witness, history);
  try {
    const recovered = { history, log: witnessedLog(witness, history, log) };
    await agent.recover(recovered, OperatorContext.root({ sessionId }));
  } catch (error) {
    tell(`${runId}: ${String(error)}`);
  } finally {
    // Where it cannot be given back now, its lease runs out.
    await Promise.resolve(log.release()).catch((error: unknown) => {
      tell(`${runId} was not given back: ${String(error)}`);
    });
  }
}

async function allEnded(): Promise<boolean> {
  const { rows } = await database.query('SELECT COUNT(*) AS n FROM agent_run WHERE ended_at IS NULL');
  return Number(rows[0]?.['n']) === 0;
}

/** As the application does: a database that cannot be asked now is asked again soon. */
async function claimNext(): Promise<ClaimedRun | undefined> {
  try {
    return await store.claimNext();
  } catch (error) {
    tell(`Runs could not be looked for: ${String(error)}`);
    return undefined;
  }
}

async function work(): Promise<void> {
  const underWay = new Set<Promise<void>>();
  for (;;) {
    const claimed = underWay.size < MOST_AT_ONCE ? await claimNext() : undefined;
    if (claimed) {
      const run = goOn(claimed).finally(() => underWay.delete(run));
      underWay.add(run);
    } else if (finishing && underWay.size === 0 && (await allEnded().catch(() => false))) return;
    else await pause(POLL_MS);
  }
}

process.stdout.write('!'); // it is ready
await work();
await store.close();
await writer.close();
await database.close();
