import { AgentDslException } from '../errors/agent-dsl.exception.js';
import { checkExpression } from './checks/expression.checks.js';
import { Problems } from './checks/problems.js';
import { orderedDiagnostics } from './diagnostic.js';
import { compileExpression, type CompiledExpression } from './evaluation/compile-expression.js';
import type { ExpressionScope } from './evaluation/evaluation.js';
import type { ExpressionPlace } from './expression-place.js';
import { ExpressionPrinter } from './formatting/expression.printer.js';
import { SourceText } from './formatting/source-text.js';
import { tokenize } from './lexer.js';
import { LineMap } from './line-map.js';
import { parseExpression } from './parser.js';
import type { ExpressionNode } from './syntax-tree.js';

/** A piece of source that has been read and checked. */
export interface CheckedExpression {
  readonly node: ExpressionNode;
  readonly source: SourceText;
}

/** An expression of the agent language. Two that are spelt alike are equal, also for a test's `toEqual`. */
export class Expression implements CompiledExpression {
  /** As the formatter prints it, on one line where that is possible. */
  readonly source: string;
  readonly #compiled: CompiledExpression;

  /** Of a node that the checks have passed; `compile` takes a text. */
  constructor({ node, source }: CheckedExpression, place: ExpressionPlace) {
    const printer = new ExpressionPrinter(source);
    this.source = printer.flat(node) ?? printer.print(node, 0, 0);
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
export function readExpression(text: string, place: ExpressionPlace, label: string): CheckedExpression {
  const { expression, diagnostics } = parseExpression(text);
  const problems = new Problems(diagnostics);
  checkExpression(expression, place, problems);
  const all = orderedDiagnostics([...diagnostics, ...problems.list]);
  if (all.length > 0) throw new AgentDslException(all, label, new LineMap(text));
  return { node: expression, source: new SourceText(text, tokenize(text).comments) };
}
