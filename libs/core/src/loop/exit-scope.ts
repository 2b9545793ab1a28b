import type { ExitScope } from '../definition/exit-condition.js';
import { AgentException } from '../errors/agent.exception.js';
import type { AgentRun } from './agent-run.js';
import type { PreparedCall } from './prepared-call.js';

/** Tests the exit condition after a tool round. @throws AgentException `invalid_exit_condition` if it gives a promise. */
export function exitConditionHolds(run: AgentRun, calls: readonly PreparedCall[]): boolean {
  const { exitCondition, id } = run.agent.def;
  const holds = exitCondition?.(exitScope(run, calls));
  if (!(holds instanceof Promise)) return Boolean(holds);
  // A promise is truthy: taken as it is, it would end every run after its first tools.
  holds.catch(() => {});
  throw new AgentException(
    `The exit condition of agent "${id}" gave a promise. It must not wait: give a plain value.`,
    { code: 'invalid_exit_condition' },
  );
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
