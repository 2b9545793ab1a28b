import { METHODS } from './evaluation/methods.js';
import { constantOf } from './checks/constant.js';
import { children } from './parsing/tree-height.js';
import type { CallNode, ExpressionNode } from './syntax-tree.js';

export type ArgumentType = 'string' | 'number' | 'boolean' | 'array' | 'object';

/** What the assignments of a tool's input read of `tool_args`. */
export interface ArgumentUsage {
  /** True if `tool_args` itself is read somewhere, or a field of it that is not known before. */
  whole: boolean;
  /** In the order of their first appearance. */
  readonly fields: Map<string, Argument>;
}

export interface Argument extends ArgumentUsage {
  /** True if every use of it has a default, as in `tool_args.limit ?? 5`. */
  optional: boolean;
  /** The field of the operator's input that is this argument and nothing else. */
  feeds?: string;
  /** What its uses tell of its type. */
  type?: ArgumentType;
}

/** How a piece of an expression is used. */
type Use = Partial<Pick<Argument, 'optional' | 'feeds' | 'type'>>;

/** Reads which arguments the assignments use. */
export function argumentUsage(
  assignments: Iterable<{ readonly field: string; readonly node: ExpressionNode }>,
): ArgumentUsage {
  const usage: ArgumentUsage = { whole: false, fields: new Map() };
  for (const { field, node } of assignments) visit(node, { feeds: field }, usage);
  return usage;
}

function visit(node: ExpressionNode, use: Use, usage: ArgumentUsage): void {
  const path = argumentPath(node);
  if (path) return note(path, use, usage);
  const { feeds: _, ...inner } = use;
  switch (node.kind) {
    case 'binary':
      if (node.operator !== '??') break;
      visit(node.left, { ...use, optional: true, ...typed(typeOf(node.right) ?? use.type) }, usage);
      return visit(node.right, {}, usage);
    case 'member':
      return visit(node.object, inner, usage);
    case 'index':
      visit(
        node.object,
        { ...inner, ...typed(typeOf(node.index) === 'number' ? 'array' : undefined) },
        usage,
      );
      return visit(node.index, {}, usage);
    case 'call':
      if (node.callee.kind === 'member')
        visit(node.callee.object, { ...inner, ...typed(receiverOf(node)) }, usage);
      for (const argument of node.arguments) visit(argument, {}, usage);
      return;
    case 'lambda':
      if (node.parameter.text === 'tool_args') return;
      break;
    default:
  }
  for (const child of children(node)) visit(child, {}, usage);
}

/** `['a', 'b']` for `tool_args.a["b"]`, `[]` for `tool_args`; undefined for anything else. */
function argumentPath(node: ExpressionNode): readonly string[] | undefined {
  const path: string[] = [];
  let head = node;
  for (;;) {
    if (head.kind === 'member') path.push(head.property.text);
    else if (head.kind === 'index' && head.index.kind === 'literal' && typeof head.index.value === 'string')
      path.push(head.index.value);
    else return head.kind === 'variable' && head.name === 'tool_args' ? path.toReversed() : undefined;
    head = head.object;
  }
}

function note(path: readonly string[], { optional = false, feeds, type }: Use, usage: ArgumentUsage): void {
  let owner = usage;
  for (const name of path) {
    const known = owner.fields.get(name);
    const argument: Argument = known ?? { whole: false, optional, fields: new Map() };
    argument.optional &&= optional;
    owner.fields.set(name, argument);
    owner = argument;
  }
  owner.whole = true;
  if (owner === usage) return;
  const argument: Partial<Argument> = owner;
  if (type !== undefined) argument.type ??= type;
  if (feeds !== undefined) argument.feeds ??= feeds;
}

function typed(type: ArgumentType | undefined): { readonly type?: ArgumentType } {
  return type === undefined ? {} : { type };
}

function typeOf(node: ExpressionNode): ArgumentType | undefined {
  const value = constantOf(node);
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value)) return 'array';
  const type = typeof value;
  return type === 'string' || type === 'number' || type === 'boolean' ? type : 'object';
}

/** `array` if only lists have the method that is called. */
function receiverOf({ callee }: CallNode): ArgumentType | undefined {
  const group = callee.kind === 'member' ? METHODS.get(callee.property.text) : undefined;
  if (!group?.list || group.string || group.object || group.number) return undefined;
  return 'array';
}
