import {
  compileExpression,
  type CompiledExpression,
} from '../../libs/core/src/language/evaluation/compile-expression.js';
import type { ExpressionFunction } from '../../libs/core/src/language/evaluation/evaluation.js';
import type { BinaryOperator, ExpressionNode, NameNode } from '../../libs/core/src/language/syntax-tree.js';

const span = { start: 0, end: 0 };
const named = (text: string): NameNode => ({ text, span });

export const literal = (value: string | number | boolean | null): ExpressionNode => ({
  kind: 'literal',
  value,
  duration: false,
  span,
});
export const variable = (name: string): ExpressionNode => ({ kind: 'variable', name, span });
export const template = (...parts: readonly (string | ExpressionNode)[]): ExpressionNode => ({
  kind: 'template',
  parts,
  span,
});
export const list = (...items: readonly ExpressionNode[]): ExpressionNode => ({ kind: 'array', items, span });
export const record = (...entries: readonly (readonly [string, ExpressionNode])[]): ExpressionNode => ({
  kind: 'object',
  entries: entries.map(([key, value]) => ({ key: named(key), value })),
  span,
});
export const member = (object: ExpressionNode, name: string, optional = false): ExpressionNode => ({
  kind: 'member',
  object,
  property: named(name),
  optional,
  span,
});
export const index = (object: ExpressionNode, place: ExpressionNode, optional = false): ExpressionNode => ({
  kind: 'index',
  object,
  index: place,
  optional,
  span,
});
export const call = (callee: ExpressionNode, ...args: readonly ExpressionNode[]): ExpressionNode => ({
  kind: 'call',
  callee,
  arguments: args,
  span,
});
export const method = (
  object: ExpressionNode,
  name: string,
  ...args: readonly ExpressionNode[]
): ExpressionNode => call(member(object, name), ...args);
export const lambda = (parameter: string, body: ExpressionNode): ExpressionNode => ({
  kind: 'lambda',
  parameter: named(parameter),
  body,
  span,
});
export const unary = (operator: '!' | '-', operand: ExpressionNode): ExpressionNode => ({
  kind: 'unary',
  operator,
  operand,
  span,
});
export const binary = (
  left: ExpressionNode,
  operator: BinaryOperator,
  right: ExpressionNode,
): ExpressionNode => ({ kind: 'binary', operator, left, right, span });
export const conditional = (
  test: ExpressionNode,
  then: ExpressionNode,
  otherwise: ExpressionNode,
): ExpressionNode =>
  // oxlint-disable-next-line unicorn/no-thenable -- the tree's own name for it
  ({ kind: 'conditional', test, then, otherwise, span });
export const when = (
  subject: ExpressionNode,
  branches: readonly (readonly [ExpressionNode, ExpressionNode])[],
  otherwise: ExpressionNode | null = null,
): ExpressionNode => ({
  kind: 'when',
  subject,
  branches: branches.map(([pattern, value]) => ({ pattern, value })),
  otherwise,
  span,
});
export const broken = (): ExpressionNode => ({ kind: 'broken', span });

export type Variables = Readonly<Record<string, unknown>>;
export type Functions = Readonly<Record<string, ExpressionFunction>>;

/** Compiled for the names of what it will be given. */
export function compiled(
  node: ExpressionNode,
  variables: Variables = {},
  functions: Functions = {},
): CompiledExpression {
  return compileExpression(node, { variables: Object.keys(variables), functions: Object.keys(functions) });
}

/** The value of an expression whose variables and functions are all known. */
export function evaluated(
  node: ExpressionNode,
  variables: Variables = {},
  functions: Functions = {},
): unknown {
  return compiled(node, variables, functions).evaluate({ variables, functions });
}

const SUBJECT = variable('x');

/** The value of `x.name(args)`. */
export function invoked(x: unknown, name: string, ...args: readonly ExpressionNode[]): unknown {
  return evaluated(method(SUBJECT, name, ...args), { x });
}
