import { ExpressionLimitException } from '../errors/expression-limit.exception.js';
import { ToolException } from '../errors/tool.exception.js';
import { argumentUsage, type ArgumentUsage } from '../language/argument-usage.js';
import { TOOL_INPUT } from '../language/expression-place.js';
import { Expression, readExpression } from '../language/expression.js';
import type { ExpressionNode } from '../language/syntax-tree.js';
import type { GraphScope } from './graph-scope.js';

/** Makes a node's input from expressions over `tool_args` and `ctx`. Two with the same expressions are equal. */
export class InputMapping {
  /** By the field of the operator's input. */
  readonly assignments: Readonly<Record<string, Expression>>;
  readonly #usage: ArgumentUsage;

  constructor(assignments: readonly { readonly field: string; readonly node: ExpressionNode }[]) {
    this.assignments = Object.freeze(
      Object.fromEntries(assignments.map(({ field, node }) => [field, new Expression(node, TOOL_INPUT)])),
    );
    this.#usage = argumentUsage(assignments);
    Object.freeze(this);
  }

  /**
   * Compiles expressions, as in `{ query: 'tool_args.query', locale: 'ctx.user.locale' }`.
   * @throws AgentDslException with the place of each mistake in an expression.
   */
  static compile(tool: string, input: Readonly<Record<string, string>>): InputMapping {
    return new InputMapping(
      Object.entries(input).map(([field, text]) => {
        const label = `input.${field} of tool "${tool}"`;
        if (typeof text !== 'string') throw new TypeError(`${label} must be an expression in quotes.`);
        return { field, node: readExpression(text, TOOL_INPUT, label) };
      }),
    );
  }

  /** What the expressions read of the arguments. */
  get usage(): ArgumentUsage {
    return this.#usage;
  }

  /** @throws ToolException `limit`, naming tool and field, if an expression takes too long or grows too large. */
  evaluate({ toolArgs, ctx }: GraphScope, tool: string): Record<string, unknown> {
    const scope = { variables: { tool_args: toolArgs, ctx } };
    const input: Record<string, unknown> = {};
    for (const [field, expression] of Object.entries(this.assignments)) {
      try {
        input[field] = expression.evaluate(scope);
      } catch (error) {
        if (!(error instanceof ExpressionLimitException)) throw error;
        const message = `The field "${field}" of the input of "${tool}" could not be made. ${error.message}`;
        throw new ToolException('limit', message, { cause: error });
      }
    }
    return input;
  }
}
