// A process that executes runs until it is killed, or until all have ended once its input is closed.
import { setTimeout as pause } from 'node:timers/promises';
import { OperatorContext, type RunLog } from '@nestor/core';
import { AgentDatabase, TypeOrmRunStore, type ClaimedRun } from '@nestor/typeorm';
import { calls, scriptedAgent } from '../support/scripted-agent.js';
import { TURNS } from './crash-runs.js';
import { appendEffect, type Effect } from './effects.js';

const [url = '', file = '', leaseMs = ''] = process.argv.slice(2);
const SLOTS = 3;
const POLL_MS = 20;

let finishing = false;
process.stdin.on('end', () => (finishing = true)).resume();

const database = await AgentDatabase.open({ url }, { migrations: 'check' });
const store = new TypeOrmRunStore(database, { leaseMs: Number(leaseMs), maxAttempts: 1_000 });

function note(effect: Effect): void {
  appendEffect(file, effect);
  if (effect.kind === 'call') process.stdout.write('.');
}

const tool =
  (name: string) =>
  async (_: never, { idempotencyKey: key = '' }: OperatorContext): Promise<string> => {
    note({ kind: 'call', tool: name, key });
    await pause(Math.random() * 4);
    return key;
  };

const { agent } = scriptedAgent({
  script: ({ messages }) => {
    const turn = messages.filter(({ role }) => role === 'assistant').length;
    return turn < TURNS ? calls(['keyed'], ['once'], ['pure']) : { text: 'done' };
  },
  tools: { keyed: tool('keyed'), once: tool('once'), pure: tool('pure') },
  metadata: { keyed: { effect: 'idempotent' }, pure: { effect: 'pure' } },
  define: (builder) => builder.repeatedCallLimit(0),
});

/** The log of a run, which also tells what was committed and what was refused. */
function telling(log: RunLog): RunLog {
  return {
    lost: log.lost,
    answered: (step) => log.answered(step),
    toolCompleted: async (step) => {
      const { toolName, idempotencyKey } = step;
      try {
        await log.toolCompleted(step);
      } catch (error) {
        note({ kind: 'refused', tool: toolName, key: idempotencyKey });
        throw error;
      }
      note({ kind: 'stored', tool: toolName, key: idempotencyKey });
    },
    ended: (outcome) => log.ended(outcome),
  };
}

async function goOn({ history, log }: ClaimedRun): Promise<void> {
  for (const { result } of history.calls.values()) {
    if (result) note({ kind: 'found', tool: result.toolName, key: result.idempotencyKey });
  }
  try {
    await agent.recover({ history, log: telling(log) }, OperatorContext.root());
  } catch (error) {
    process.stderr.write(`${history.run.runId}: ${String(error)}\n`);
  } finally {
    // Where it cannot be given back now, its lease runs out.
    await Promise.resolve(log.release()).catch((error: unknown) => {
      process.stderr.write(`${history.run.runId} was not given back: ${String(error)}\n`);
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
    process.stderr.write(`Runs could not be looked for: ${String(error)}\n`);
    return undefined;
  }
}

async function work(): Promise<void> {
  for (;;) {
    const claimed = await claimNext();
    if (claimed) await goOn(claimed);
    else if (finishing && (await allEnded().catch(() => false))) return;
    else await pause(POLL_MS);
  }
}

await Promise.all(Array.from({ length: SLOTS }, work));
await store.close();
await database.close();
