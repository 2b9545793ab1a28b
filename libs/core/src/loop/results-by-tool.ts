import type { AgentRun } from './agent-run.js';
import type { PreparedCall } from './prepared-call.js';

/** Results of a turn by tool name: one call gives its result, several calls of one tool a list in call order. */
export function resultsByTool(
  run: Pick<AgentRun, 'toolResults'>,
  calls: readonly PreparedCall[],
): Readonly<Record<string, unknown>> {
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
