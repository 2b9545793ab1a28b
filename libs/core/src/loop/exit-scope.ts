import type { ExitScope } from '../definition/exit-condition.js';
import { AgentException } from '../errors/agent.exception.js';
import { Expression } from '../language/expression.js';
import type { AgentRun } from './agent-run.js';
import { evaluateExpression } from './evaluate-expression.js';
import { exitVariables } from './exit-variables.js';
import type { PreparedCall } from './prepared-call.js';
import { resultsByTool } from './results-by-tool.js';

/**
 * Tests the exit condition after a tool round.
 * @throws AgentException `invalid_exit_condition` if a function gives a promise; `expression_limit` if an expression
 * takes too long.
 */
export function exitConditionHolds(run: AgentRun, calls: readonly PreparedCall[]): boolean {
  const { exitCondition, id } = run.agent.def;
  if (exitCondition instanceof Expression) {
    return evaluateExpression(id, 'exit condition', exitCondition, (condition) =>
      condition.holds(exitVariables(run, calls)),
    );
  }
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
