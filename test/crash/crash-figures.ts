import type { RunHistory } from '@nestor/core';
import { EventJournal, TypeOrmConversationStore, type AgentDatabase } from '@nestor/typeorm';
import { TURNS } from './crash-agent.js';
import { allRuns, withStore } from './crash-runs.js';
import { effectFigures, readEffects } from './effects.js';
import { journalFaults } from './journal-faults.js';
import { sessionFaults } from './session-faults.js';

/** What must be nought. */
export interface Damage {
  /** Runs that did not end as completed, with every answer and every result. */
  readonly lost: number;
  /** Effects of the keyed tool that no call of the model stands for, and those that are missing. */
  readonly wrongKeyedEffects: number;
  readonly repeatedAtMostOnce: number;
  /** Calls of tools and of the model. */
  readonly calledAfterResult: number;
  readonly journalFaults: number;
  readonly sessionFaults: number;
  /** How often a run stayed with a dead process for longer than its lease and five seconds. */
  readonly stuck: number;
}

export const NO_DAMAGE: Damage = {
  lost: 0,
  wrongKeyedEffects: 0,
  repeatedAtMostOnce: 0,
  calledAfterResult: 0,
  journalFaults: 0,
  sessionFaults: 0,
  stuck: 0,
};

export interface CrashFigures {
  readonly damage: Damage;
  /** How often a run changed hands. */
  readonly takenOver: number;
  /** The longest time that a run was free and nobody took it, in ms. */
  readonly longestOverdueMs: number;
  /** The calls that the model was told nothing certain of. */
  readonly unknown: readonly string[];
  /** Calls of the keyed tool that came again, with the same key. */
  readonly keyedRepeats: number;
  /** Writes of processes that had lost the run. */
  readonly refusedWrites: number;
  readonly sessions: number;
}

export interface CrashFacts {
  readonly url: string;
  readonly effectsFile: string;
  /** The runs there must be; others are not looked at. */
  readonly runIds: readonly string[];
  /** Calls in a turn. */
  readonly tools: number;
  /** What `overdue` gave, again and again. Default: nothing. */
  readonly overdueMs?: readonly number[];
}

const GRACE_MS = 5_000;

/** Holds what is in the database against what happened outside of it. The faults are told on the console. */
export function crashFigures(facts: CrashFacts): Promise<CrashFigures> {
  const { overdueMs = [] } = facts;
  const effects = effectFigures(readEffects(facts.effectsFile));
  return withStore(facts.url, async (store, database) => {
    const wanted = new Set(facts.runIds);
    const runs = (await allRuns(store)).filter(({ runId }) => wanted.has(runId));
    const histories = (await Promise.all(runs.map(({ runId }) => store.history(runId)))).filter(
      (history) => history !== undefined,
    );
    const completed = new Set(runs.filter(({ status }) => status === 'completed').map(({ runId }) => runId));
    const whole = histories.filter(
      (history) => completed.has(history.run.runId) && isWhole(history, facts.tools),
    );
    const { journal, sessions, sessionCount } = await faults(database, histories);
    for (const fault of [...journal, ...sessions].slice(0, 10)) console.error(fault);
    const { rows } = await database.query('SELECT SUM(fence - 1) AS n FROM agent_run');
    return {
      damage: {
        lost: wanted.size - whole.length,
        wrongKeyedEffects: differences(effects.keyedEffects, keysOf(histories)),
        repeatedAtMostOnce: effects.repeatedOnce,
        calledAfterResult: effects.calledAfterResult,
        journalFaults: journal.length,
        sessionFaults: sessions.length,
        stuck: overdueMs.filter((ms) => ms > GRACE_MS).length,
      },
      takenOver: Number(rows[0]?.['n']),
      longestOverdueMs: Math.max(0, ...overdueMs),
      unknown: histories.flatMap(unknownIn),
      keyedRepeats: effects.keyedRepeats,
      refusedWrites: effects.refusedWrites,
      sessions: sessionCount,
    };
  });
}

/** The figures in one line. */
export function shown({ damage, unknown, ...others }: CrashFigures): string {
  return Object.entries({ ...damage, ...others, outcomeUnknown: unknown.length })
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
}

function unknownIn({ calls }: RunHistory): string[] {
  return [...calls]
    .filter(([, { result }]) => result?.text.includes('outcome_unknown'))
    .map(([toolCallId]) => toolCallId);
}

async function faults(database: AgentDatabase, histories: readonly RunHistory[]) {
  const journal = new EventJournal(database);
  const transcripts = new TypeOrmConversationStore(database);
  const bySession = new Map<string, RunHistory[]>();
  for (const history of histories) {
    const { sessionId } = history.run;
    if (sessionId !== undefined) bySession.set(sessionId, [...(bySession.get(sessionId) ?? []), history]);
  }
  const ofRuns = await Promise.all(histories.map((history) => journalFaults(journal, history)));
  const ofSessions = await Promise.all(
    [...bySession].map(([sessionId, runs]) => sessionFaults(transcripts, sessionId, runs)),
  );
  return { journal: ofRuns.flat(), sessions: ofSessions.flat(), sessionCount: bySession.size };
}

function isWhole({ answers, calls }: RunHistory, tools: number): boolean {
  const results = [...calls.values()].filter(({ result }) => result);
  return answers.length === TURNS + 1 && results.length === TURNS * tools;
}

/** Of the keyed tool, which is the first in each turn. */
function keysOf(histories: readonly RunHistory[]): Set<string> {
  return new Set(
    histories.flatMap(({ run: { runId } }) => Array.from({ length: TURNS }, (_, i) => `${runId}:${i + 1}:0`)),
  );
}

function differences(found: ReadonlySet<string>, expected: ReadonlySet<string>): number {
  const missing = [...expected].filter((key) => !found.has(key));
  return [...found].filter((key) => !expected.has(key)).length + missing.length;
}
