import type { ExitScope } from '../definition/exit-condition.js';
import type { AgentRun } from './agent-run.js';
import type { PreparedCall } from './prepared-call.js';

/** Tests the exit condition after a tool round. */
export function exitConditionHolds(run: AgentRun, calls: readonly PreparedCall[]): boolean {
  const { exitCondition } = run.agent.def;
  return exitCondition !== null && Boolean(exitCondition(exitScope(run, calls)));
}

function exitScope(run: AgentRun, calls: readonly PreparedCall[]): ExitScope {
  return {
    finishReason: run.answer?.finishReason ?? '',
    content: run.answer?.message.content ?? '',
    turn: run.turn,
    toolCalls: calls.map(({ call }) => call),
    toolResults: resultsByTool(run, calls),
    messages: run.memory.messages(),
    toolCall: (name) => calls.some(({ call }) => call.name === name),
  };
}

function resultsByTool(run: AgentRun, calls: readonly PreparedCall[]): Readonly<Record<string, unknown>> {
  const lists = new Map<string, unknown[]>();
  for (const { call } of calls) {
    const list = lists.get(call.name) ?? [];
    list.push(run.toolResults[call.id]);
    lists.set(call.name, list);
  }
  const results: Record<string, unknown> = Object.create(null);
  for (const [name, list] of lists) results[name] = list.length === 1 ? list[0] : list;
  return results;
}
