import { setTimeout as pause } from 'node:timers/promises';
import {
  AgentException,
  doneSequence,
  recordedChunks,
  recordedOutput,
  type AgentStreamChunk,
  type DurableRunStore,
  type RunHistory,
  type RunSummary,
} from '@nestor/core';

const FIRST_WAIT_MS = 25;
const LONGEST_WAIT_MS = 1_000;

/** A chunk of a run that somebody else executes, with its number in the run's stream. */
export interface AttachedChunk {
  /**
   * 1, 2, … the same for whoever attaches, wherever. That of a `done` because the run waits for people is half a
   * number more than that of the chunk before it: the run goes on behind it.
   */
  readonly sequence: number;
  readonly chunk: AgentStreamChunk;
}

export interface AttachOptions {
  /** The first chunk wanted: one more than the last sequence one has. Default 1: from the start. */
  readonly from?: number | undefined;
  /** Ends the stream; the run goes on. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Follows a run by its record, whichever process executes it. Ends with `done` when the run has ended or waits for
 * people.
 * @throws AgentException `unknown_run`; what the run failed with, by its message.
 */
export async function* attachRun(
  store: DurableRunStore,
  runId: string,
  options: AttachOptions,
): AsyncGenerator<AttachedChunk, void, void> {
  const { from = 1, signal } = options;
  let next = Math.floor(from);
  let wait = FIRST_WAIT_MS;
  while (!options.signal?.aborted) {
    // The state first: a run that has ended by then has recorded all its steps.
    const summary = await found(store, runId);
    const history = await store.history(runId);
    const chunks = history ? recordedChunks(history) : [];
    const news = chunks.slice(next - 1);
    for (const chunk of news) yield { sequence: next++, chunk };
    const sequence = doneSequence(chunks.length, summary.status);
    if (history && sequence !== undefined) {
      yield { sequence, chunk: { type: 'done', finalOutput: endOf(history, summary) } };
      return;
    }
    wait = news.length > 0 ? FIRST_WAIT_MS : Math.min(wait * 1.5, LONGEST_WAIT_MS);
    await pause(wait, undefined, { signal, ref: false }).catch(() => {});
  }
}

async function found(store: DurableRunStore, runId: string): Promise<RunSummary> {
  const summary = await store.find(runId);
  if (summary) return summary;
  throw new AgentException(`There is no run "${runId.slice(0, 100)}", or its record is gone.`, {
    code: 'unknown_run',
  });
}

function endOf(history: RunHistory, summary: RunSummary): ReturnType<typeof recordedOutput> {
  const { outcome, runId } = summary;
  if (!outcome || outcome.error === undefined) return recordedOutput(history, summary);
  // Its text is that of the exception that left the run.
  const error = new AgentException(outcome.error, { code: outcome.exitReason });
  error.runId = runId;
  error.checkpoint = recordedOutput(history, summary).checkpoint;
  throw error;
}
