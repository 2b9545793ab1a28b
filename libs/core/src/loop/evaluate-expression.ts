import { AgentException } from '../errors/agent.exception.js';
import { ExpressionLimitException } from '../errors/expression-limit.exception.js';
import type { Expression } from '../language/expression.js';

/**
 * Evaluates an expression of an agent.
 * @param what such as `exit condition`.
 * @throws AgentException `expression_limit`, naming the agent and the expression, if it takes too long or grows too large.
 */
export function evaluateExpression<T>(
  agentId: string,
  what: string,
  expression: Expression,
  evaluate: (expression: Expression) => T,
): T {
  try {
    return evaluate(expression);
  } catch (cause) {
    if (!(cause instanceof ExpressionLimitException)) throw cause;
    throw new AgentException(
      `The ${what} of agent "${agentId}" cannot be evaluated: ${expression.source.slice(0, 200)}\n${cause.message}`,
      { code: 'expression_limit', cause },
    );
  }
}
