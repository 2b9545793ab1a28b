import type { ExpressionNode } from '../syntax-tree.js';
import { Evaluation, type ExpressionScope } from './evaluation.js';
import { ExpressionCompiler } from './expression-compiler.js';
import { plainCopy } from './plain-copy.js';
import { isTruthy } from './values.js';

/**
 * An expression that can be evaluated any number of times, also while it is being evaluated. An evaluation reads
 * data only, changes nothing and takes at most 100,000 steps.
 */
export interface CompiledExpression {
  /**
   * The value, as plain JSON data that shares nothing with the scope.
   * @throws ExpressionLimitException if it would take too long or grow too large; whatever a function of the scope throws.
   */
  evaluate(scope: ExpressionScope): unknown;
  /** Whether the value is truthy: all but `null`, `false` and `0`. Throws as `evaluate` does. */
  holds(scope: ExpressionScope): boolean;
}

export interface ExpressionNames {
  /** What the expression may read; every other name is null. */
  readonly variables: readonly string[];
  /** What the expression may call; a call of anything else is null. */
  readonly functions?: readonly string[];
}

/**
 * @throws ExpressionLimitException `nesting` for a tree of more than 1,000 levels, or more than 200 that are no
 * operands; a chain such as `a + b + …` is one level, however long.
 */
export function compileExpression(
  node: ExpressionNode,
  { variables, functions = [] }: ExpressionNames,
): CompiledExpression {
  const thunk = new ExpressionCompiler(variables, functions).compile(node);
  return {
    evaluate(scope) {
      const evaluation = new Evaluation(scope);
      return plainCopy(thunk(evaluation), evaluation);
    },
    holds: (scope) => isTruthy(thunk(new Evaluation(scope))),
  };
}
