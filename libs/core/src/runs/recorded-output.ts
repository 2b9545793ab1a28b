import type { AgentOutput } from '../definition/agent-output.js';
import { NO_USAGE, addUsage } from '../llm/llm-usage.js';
import type { LlmMessage } from '../messages/llm-message.js';
import { pendingApprovals } from './pending-approvals.js';
import type { RunHistory } from './run-history.js';
import type { RunSummary, ToolResultStep } from './run.store.js';

/**
 * The output of a run that has ended or waits, made from its record. Its messages are the run's own: those of the
 * session before it, and the system prompt, are not in the record.
 */
export function recordedOutput(history: RunHistory, { outcome, runId }: RunSummary): AgentOutput {
  const { messages, results } = conversationOf(history);
  const last = history.answers.at(-1);
  const usage = history.answers.reduce(
    (sum, { response }) => addUsage(sum, response.usage ?? NO_USAGE),
    NO_USAGE,
  );
  const turnsUsed = outcome?.turnsUsed ?? last?.turn ?? 0;
  const toolResults = Object.freeze(
    Object.fromEntries(results.map(({ toolCallId, result }) => [toolCallId, result])),
  );
  return Object.freeze({
    content: outcome?.output?.content ?? last?.response.message.content ?? '',
    finishReason: outcome?.output?.finishReason ?? last?.response.finishReason ?? '',
    exitReason: outcome?.exitReason ?? 'suspended',
    turnsUsed,
    messages,
    toolResults,
    checkpoint: Object.freeze({ conversation: messages, turnCount: turnsUsed, toolResults }),
    usage: outcome?.output?.usage ?? usage,
    runId,
    ...(outcome?.output?.value !== undefined && { value: outcome.output.value }),
    pendingApprovals: outcome ? [] : pendingApprovals(history),
  });
}

/** The messages of the run, up to its last whole turn, and the results of the last turn that had tools. */
function conversationOf(history: RunHistory): {
  readonly messages: readonly LlmMessage[];
  readonly results: readonly ToolResultStep[];
} {
  const messages = [...history.run.input];
  let results: readonly ToolResultStep[] = [];
  for (const { response, calls } of history.answers) {
    const round = calls.flatMap(({ toolCallId }) => history.calls.get(toolCallId)?.result ?? []);
    if (round.length < calls.length) break;
    messages.push(response.message);
    for (const { toolCallId, text } of round) messages.push({ role: 'tool', content: text, toolCallId });
    if (round.length > 0) results = round;
  }
  return { messages, results };
}
