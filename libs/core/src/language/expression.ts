import { AgentDslException } from '../errors/agent-dsl.exception.js';
import { canonicalText } from './canonical-text.js';
import { checkExpression } from './checks/expression.checks.js';
import { Problems } from './checks/problems.js';
import { orderedDiagnostics } from './diagnostic.js';
import { compileExpression, type CompiledExpression } from './evaluation/compile-expression.js';
import type { ExpressionScope } from './evaluation/evaluation.js';
import type { ExpressionPlace } from './expression-place.js';
import { LineMap } from './line-map.js';
import { parseExpression } from './parser.js';
import type { ExpressionNode } from './syntax-tree.js';

/** An expression of the agent language. Two that mean the same are equal, also for a test's `toEqual`. */
export class Expression implements CompiledExpression {
  /** The expression on one line, in its one form: without the comments, line breaks and needless parentheses it had. */
  readonly source: string;
  readonly #compiled: CompiledExpression;

  /** Of a node that the checks have passed; `compile` takes a text. */
  constructor(node: ExpressionNode, place: ExpressionPlace) {
    this.source = canonicalText(node);
    this.#compiled = compileExpression(node, place);
    Object.freeze(this);
  }

  /**
   * Compiles a text.
   * @param label what it is, for errors, such as `exitCondition of agent "support"`.
   * @throws AgentDslException with the place of each mistake in the text.
   */
  static compile(text: string, place: ExpressionPlace, label: string): Expression {
    return new Expression(readExpression(text, place, label), place);
  }

  /**
   * The value, as plain JSON data.
   * @throws ExpressionLimitException if it would take too long or grow too large.
   */
  evaluate(scope: ExpressionScope): unknown {
    return this.#compiled.evaluate(scope);
  }

  /** Whether the value is truthy: all but `null`, `false` and `0`. Throws as `evaluate` does. */
  holds(scope: ExpressionScope): boolean {
    return this.#compiled.holds(scope);
  }
}

/** Parses and checks a text. @throws AgentDslException with the place of each mistake in the text. */
export function readExpression(text: string, place: ExpressionPlace, label: string): ExpressionNode {
  const { expression, diagnostics } = parseExpression(text);
  const problems = new Problems(diagnostics);
  checkExpression(expression, place, problems);
  const all = orderedDiagnostics([...diagnostics, ...problems.list]);
  if (all.length > 0) throw new AgentDslException(all, label, new LineMap(text));
  return expression;
}
