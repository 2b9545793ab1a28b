import type { RunQuery, RunSummary } from '@nestor/core';
import { AgentDatabase, TypeOrmRunStore } from '@nestor/typeorm';
import { questionOf } from './crash-agent.js';

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

/** Adds runs to the queue. @param sessionOf gives the session of a run, if it is to have one */
export function enqueueRuns(
  url: string,
  ids: readonly string[],
  sessionOf: (runId: string, index: number) => string | undefined = () => undefined,
): Promise<void> {
  return withStore(url, async (store) => {
    for (const [index, runId] of ids.entries()) {
      const sessionId = sessionOf(runId, index);
      await store.enqueue({ runId, agentId: 'agent', sessionId, input: [questionOf(runId)] });
    }
  });
}

/** `run-<first>` and so on. */
export function runIds(first: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `run-${first + index}`);
}

export async function allRuns(store: TypeOrmRunStore): Promise<RunSummary[]> {
  const runs: RunSummary[] = [];
  for (;;) {
    const before = runs.at(-1)?.runId;
    const query: RunQuery = { limit: 500, ...(before !== undefined && { before }) };
    const page = await store.list(query);
    if (page.length === 0) return runs;
    runs.push(...page);
  }
}

/**
 * How long each run has been free whose process died, in ms: nobody has taken it over since its lease ran out.
 */
export async function overdue(database: AgentDatabase): Promise<number[]> {
  const { now } = database.dialect;
  const { rows } = await database.query(
    `SELECT ${now} - lease_until AS overdue FROM agent_run WHERE status = 'running' AND lease_until < ${now}`,
  );
  return rows.map((row) => Number(row['overdue']));
}
