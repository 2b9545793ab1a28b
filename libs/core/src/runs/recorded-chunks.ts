import type { AgentStreamChunk } from '../loop/agent-stream-chunk.js';
import type { RecordedCall, RunHistory } from './run-history.js';
import type { AnswerStep, RunStatus, ToolStartedStep } from './run.store.js';

/**
 * What a run has done so far, as the chunks of its stream: an answer is one token. The list of a later history begins
 * with that of an earlier one, so a chunk's place in it is its number wherever it is made.
 */
export function recordedChunks(history: RunHistory): readonly AgentStreamChunk[] {
  const chunks: AgentStreamChunk[] = [];
  for (const step of history.answers) {
    const { content } = step.response.message;
    if (content) chunks.push({ type: 'token', text: content, turnNumber: step.turn });
    const whole = addCalls(chunks, step, history);
    if (!whole) break;
  }
  return chunks;
}

/**
 * The number of `done` behind the chunks there are; undefined while the run is under way. That of a run that waits for
 * people is half a number: nothing is left out for whoever goes on behind it, when the run does.
 */
export function doneSequence(chunks: number, status: RunStatus): number | undefined {
  if (status === 'queued' || status === 'running') return undefined;
  return chunks + (status === 'suspended' ? 0.5 : 1);
}

/** Adds the starts and ends of a turn's calls, up to the first that is not there yet. Gives false if there is one. */
function addCalls(chunks: AgentStreamChunk[], { turn, calls }: AnswerStep, history: RunHistory): boolean {
  // Calls that wait for people come last: they must not hold back the others.
  const free = calls.filter(({ approval }) => !approval);
  const asked = calls.filter(({ approval }) => approval);
  return addGroup(chunks, turn, free, history) && addGroup(chunks, turn, asked, history);
}

function addGroup(
  chunks: AgentStreamChunk[],
  turnNumber: number,
  calls: readonly ToolStartedStep[],
  { calls: recorded }: RunHistory,
): boolean {
  for (const { toolName, toolCallId } of calls) {
    const call = recorded.get(toolCallId);
    if (!call || !wasStarted(call)) return false;
    chunks.push({ type: 'tool_start', toolName, toolCallId, turnNumber });
  }
  for (const { toolName, toolCallId } of calls) {
    const result = recorded.get(toolCallId)?.result;
    if (!result) return false;
    chunks.push({ type: 'tool_end', toolName, toolCallId, success: result.success, turnNumber });
  }
  return true;
}

/** Also if people are asked about it again since: what was told once stays told. */
function wasStarted({ started, result, approvals }: RecordedCall): boolean {
  return (
    started || result !== undefined || approvals.some(({ request }) => request.reason === 'outcome_unknown')
  );
}
