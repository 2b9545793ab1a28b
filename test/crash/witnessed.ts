import type { ConversationStore, RunHistory, RunLog } from '@nestor/core';
import type { Witness } from './crash-agent.js';
import type { Effect } from './effects.js';

/** What a process that takes a run over finds of it. */
export function noteFound({ note }: Witness, { run, answers, calls }: RunHistory): void {
  for (const { turn } of answers) note({ kind: 'found', name: 'model', key: `${run.runId}:${turn}` });
  for (const { result } of calls.values()) {
    if (result) note({ kind: 'found', name: result.toolName, key: result.idempotencyKey });
  }
}

/** The log of a run, which also tells what was committed and what was refused. */
export function witnessedLog(
  witness: Witness,
  { run, answers }: Pick<RunHistory, 'run' | 'answers'>,
  log: RunLog,
): RunLog {
  const { note } = witness;
  const { runId } = run;
  let turn = answers.at(-1)?.turn ?? 0;
  const noted = async (what: Omit<Effect, 'kind'>, write: () => unknown): Promise<void> => {
    try {
      await write();
    } catch (error) {
      note({ kind: 'refused', ...what });
      throw error;
    }
    note({ kind: 'stored', ...what });
  };
  return {
    lost: log.lost,
    listen: (context) => log.listen?.(context),
    answered: (step) => {
      const key = `${runId}:${step.turn}`;
      turn = step.turn;
      return around(witness, `answered:${turn}`, () =>
        noted({ name: 'model', key }, () => log.answered(step)),
      );
    },
    toolStarted: (step) => around(witness, `toolStarted:${turn}`, () => log.toolStarted?.(step)),
    toolCompleted: (step) => {
      const { toolName: name, idempotencyKey: key } = step;
      return around(witness, `toolCompleted:${name}:${step.turn}`, () =>
        noted({ name, key }, () => log.toolCompleted(step)),
      );
    },
    suspended: (pending) => around(witness, `suspended:${turn}`, () => log.suspended?.(pending)),
    ended: (outcome, exited) => around(witness, 'ended', () => log.ended(outcome, exited)),
  };
}

/** Sessions, which also tell of appends. */
export function witnessedSessions(witness: Witness, store: ConversationStore): ConversationStore {
  return {
    load: (sessionId, runId) => store.load(sessionId, runId),
    append: (...added) => around(witness, 'append', () => store.append(...added)),
    delete: (sessionId) => store.delete(sessionId),
    list: (options) => store.list(options),
    lock: (sessionId, options) => store.lock(sessionId, options),
  };
}

/** Work with a point before and one behind it. */
export async function around<T>(
  { at }: Witness,
  point: string,
  work: () => T | Promise<T>,
): Promise<Awaited<T>> {
  at(`before:${point}`);
  const done = await work();
  at(`after:${point}`);
  return done;
}
