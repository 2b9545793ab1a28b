import type { RunSummary } from '@nestor/core';
import { AgentDatabase, TypeOrmRunStore, type RunQuery } from '@nestor/typeorm';
import { effectFigures, readEffects } from './effects.js';

/** What the agent of `crash.worker.ts` does. */
export const TURNS = 4;
export const TOOLS = 3;

/** What must be nought. */
export interface Damage {
  /** Runs that did not end as completed, with every answer and every result. */
  readonly lost: number;
  /** Effects of the keyed tool that no call of the model stands for, and those that are missing. */
  readonly wrongKeyedEffects: number;
  readonly repeatedAtMostOnce: number;
  readonly calledAfterResult: number;
}

export interface CrashFigures {
  readonly damage: Damage;
  /** How often a run changed hands. */
  readonly takenOver: number;
  readonly outcomeUnknown: number;
  /** Calls of the keyed tool that came again, with the same key. */
  readonly keyedRepeats: number;
  /** Writes of processes that had lost the run. */
  readonly refusedWrites: number;
}

/** SQLite is for one process at a time: what the test has to do there is done while no worker lives. */
export async function withStore<T>(
  url: string,
  use: (store: TypeOrmRunStore, database: AgentDatabase) => Promise<T>,
): Promise<T> {
  const database = await AgentDatabase.open({ url });
  try {
    return await use(new TypeOrmRunStore(database), database);
  } finally {
    await database.close();
  }
}

/** Adds runs `run-<first>` and so on to the queue. */
export function enqueueRuns(url: string, first: number, count: number): Promise<void> {
  return withStore(url, async (store) => {
    for (let n = first; n < first + count; n++) {
      const input = [{ role: 'user', content: 'go' }] as const;
      await store.enqueue({ runId: `run-${n}`, agentId: 'agent', sessionId: undefined, input });
    }
  });
}

/** Holds what is in the database against what happened outside of it. @param created the number of runs */
export function crashFigures(url: string, effectsFile: string, created: number): Promise<CrashFigures> {
  const effects = effectFigures(readEffects(effectsFile));
  return withStore(url, async (store, database) => {
    const expectedKeys = new Set<string>();
    let whole = 0;
    let outcomeUnknown = 0;
    for (const { runId, status } of await allRuns(store)) {
      const history = await store.history(runId);
      const results = [...(history?.calls.values() ?? [])].flatMap(({ result }) => result ?? []);
      const isWhole = history?.answers.length === TURNS + 1 && results.length === TURNS * TOOLS;
      if (status === 'completed' && isWhole) whole += 1;
      outcomeUnknown += results.filter(({ text }) => text.includes('outcome_unknown')).length;
      for (let turn = 1; turn <= TURNS; turn++) expectedKeys.add(`${runId}:${turn}:0`);
    }
    const { rows } = await database.query('SELECT SUM(fence - 1) AS n FROM agent_run');
    return {
      damage: {
        lost: created - whole,
        wrongKeyedEffects: differences(effects.keyedEffects, expectedKeys),
        repeatedAtMostOnce: effects.repeatedOnce,
        calledAfterResult: effects.calledAfterResult,
      },
      takenOver: Number(rows[0]?.['n']),
      outcomeUnknown,
      keyedRepeats: effects.keyedRepeats,
      refusedWrites: effects.refusedWrites,
    };
  });
}

/** The figures in one line. */
export function shown({ damage, ...others }: CrashFigures): string {
  return Object.entries({ ...damage, ...others })
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
}

function differences(found: ReadonlySet<string>, expected: ReadonlySet<string>): number {
  const missing = [...expected].filter((key) => !found.has(key));
  return [...found].filter((key) => !expected.has(key)).length + missing.length;
}

async function allRuns(store: TypeOrmRunStore): Promise<RunSummary[]> {
  const runs: RunSummary[] = [];
  for (;;) {
    const before = runs.at(-1)?.runId;
    const query: RunQuery = { limit: 500, ...(before !== undefined && { before }) };
    const page = await store.list(query);
    if (page.length === 0) return runs;
    runs.push(...page);
  }
}
