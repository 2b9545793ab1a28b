import { METHODS } from './evaluation/methods.js';
import { constantOf } from './checks/constant.js';
import { children } from './parsing/tree-height.js';
import type { CallNode, ExpressionNode, LambdaNode } from './syntax-tree.js';

/** `any`: of one type, but not to be told which. */
export type ArgumentType = 'string' | 'number' | 'boolean' | 'array' | 'object' | 'any';

/** What the assignments of a tool's input read of `tool_args`. */
export interface ArgumentUsage {
  /** True if `tool_args` itself is read somewhere, or a field of it that is not known before. */
  whole: boolean;
  /** In the order of their first appearance. */
  readonly fields: Map<string, Argument>;
  /** What is read of the elements, where it is read as a list. */
  element?: Argument;
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

/** What names stand for: `tool_args` and the parameters of lambdas; null for elements that are no argument's. */
type Scope = ReadonlyMap<string, ArgumentUsage | null>;

/** A way from a name to a part of it. */
interface Place {
  readonly owner: ArgumentUsage;
  /** Names of fields; null for an element of a list. */
  readonly steps: readonly (string | null)[];
  /** Calls on the way, which give elements of the list they are called on. */
  readonly calls: readonly CallNode[];
}

/** Methods that give some elements of their list, or one. */
const SELECTING: ReadonlySet<string> = new Set(['filter', 'sortBy', 'slice', 'reverse', 'distinct']);
const PICKING: ReadonlySet<string> = new Set(['first', 'last', 'find']);

/** Operators whose operands are numbers, or no value comes of it. */
const ARITHMETIC: ReadonlySet<string> = new Set(['-', '*', '/', '%']);

/** Reads which arguments the assignments use. */
export function argumentUsage(
  assignments: Iterable<{ readonly field: string; readonly node: ExpressionNode }>,
): ArgumentUsage {
  const usage: ArgumentUsage = { whole: false, fields: new Map() };
  const scope = new Map([['tool_args', usage]]);
  for (const { field, node } of assignments) visit(node, { feeds: field }, scope);
  return usage;
}

function visit(node: ExpressionNode, use: Use, scope: Scope): void {
  const place = placeOf(node, scope);
  if (place) return note(place, use, scope);
  const { optional = false } = use;
  switch (node.kind) {
    case 'binary':
      return visitOperands(node.operator, node.left, node.right, { use, scope });
    case 'unary':
      return visit(node.operand, node.operator === '-' ? { type: 'number' } : {}, scope);
    case 'conditional':
      visit(node.test, {}, scope);
      for (const branch of [node.then, node.otherwise]) visit(branch, { optional }, scope);
      return;
    case 'member':
      return visit(node.object, { optional }, scope);
    case 'index':
      visit(node.object, { optional, type: typeOf(node.index) === 'number' ? 'array' : 'any' }, scope);
      return visit(node.index, {}, scope);
    case 'call':
      return visitCall(node, { optional }, scope);
    case 'lambda':
      return visitLambda(node, null, scope);
    default:
      for (const child of children(node)) visit(child, {}, scope);
  }
}

function visitOperands(
  operator: string,
  left: ExpressionNode,
  right: ExpressionNode,
  { use, scope }: { readonly use: Use; readonly scope: Scope },
): void {
  if (operator === '??') {
    visit(left, { ...use, optional: true, ...typed(typeOf(right) ?? use.type) }, scope);
    // What stands before a default of the whole chain has one too.
    return visit(right, use, scope);
  }
  const operands: Use = ARITHMETIC.has(operator) ? { type: 'number' } : {};
  visit(left, operands, scope);
  visit(right, operands, scope);
}

function visitCall(node: CallNode, use: Use, scope: Scope): void {
  const { callee } = node;
  const receiver = callee.kind === 'member' ? placeOf(callee.object, scope) : undefined;
  if (receiver && node.arguments.some(({ kind }) => kind === 'lambda')) {
    // Only what the lambda reads of the elements is read.
    reach(receiver, use.optional);
    visitCalls(receiver, scope);
  } else if (callee.kind === 'member') {
    visit(callee.object, { ...use, ...typed(receiverOf(node)) }, scope);
  }
  visitArguments(node, receiver, scope);
}

function visitArguments(node: CallNode, receiver: Place | undefined, scope: Scope): void {
  const list = receiver && reach(receiver);
  if (list) setType(list, receiverOf(node));
  for (const argument of node.arguments) {
    if (argument.kind === 'lambda') visitLambda(argument, list ? elementOf(list) : null, scope);
    else visit(argument, {}, scope);
  }
}

function visitLambda({ parameter, body }: LambdaNode, element: ArgumentUsage | null, scope: Scope): void {
  visit(body, {}, new Map([...scope, [parameter.text, element]]));
}

function visitCalls({ calls }: Place, scope: Scope): void {
  for (const call of calls) {
    const receiver = call.callee.kind === 'member' ? placeOf(call.callee.object, scope) : undefined;
    visitArguments(call, receiver, scope);
  }
}

/** The place of `tool_args.a["b"]`, `tool_args.list[0].name`, `tool_args` and the like; undefined for anything else. */
function placeOf(node: ExpressionNode, scope: Scope): Place | undefined {
  const steps: (string | null)[] = [];
  const calls: CallNode[] = [];
  for (let head = node; ;) {
    if (head.kind === 'variable') {
      const owner = scope.get(head.name);
      return owner ? { owner, steps: steps.toReversed(), calls } : undefined;
    }
    if (head.kind === 'member') steps.push(head.property.text);
    else if (head.kind === 'index' && head.index.kind === 'literal' && typeof head.index.value === 'string')
      steps.push(head.index.value);
    else if (head.kind === 'index' && typeOf(head.index) === 'number') steps.push(null);
    else if (head.kind === 'call' && head.callee.kind === 'member') {
      const method = head.callee.property.text;
      if (PICKING.has(method)) steps.push(null);
      else if (!SELECTING.has(method)) return undefined;
      calls.push(head);
      head = head.callee;
    } else return undefined;
    head = head.object;
  }
}

function note(place: Place, { optional = false, feeds, type }: Use, scope: Scope): void {
  const used = reach(place, optional);
  used.whole = true;
  visitCalls(place, scope);
  setType(used, type);
  if (feeds === undefined || place.calls.length > 0 || !isArgument(used)) return;
  used.feeds ??= feeds;
}

/** What stands at a place. @param optional for each argument on the way; undefined to leave that as it is. */
function reach({ owner, steps }: Place, optional?: boolean): ArgumentUsage {
  let part = owner;
  for (const step of steps) {
    // `tool_args` is no list.
    if (step === null && !isArgument(part)) return part;
    const next: Argument = step === null ? elementOf(part) : fieldOf(part, step, optional);
    next.optional &&= optional ?? true;
    part = next;
  }
  return part;
}

function fieldOf(owner: ArgumentUsage, name: string, optional = true): Argument {
  const field = owner.fields.get(name) ?? { whole: false, optional, fields: new Map() };
  owner.fields.set(name, field);
  return field;
}

function elementOf(owner: ArgumentUsage): Argument {
  return (owner.element ??= { whole: false, optional: true, fields: new Map() });
}

/** False for `tool_args` itself. */
function isArgument(usage: ArgumentUsage): usage is Argument {
  return 'optional' in usage;
}

function setType(usage: ArgumentUsage, type: ArgumentType | undefined): void {
  if (type !== undefined && isArgument(usage)) usage.type ??= type;
}

function typed(type: ArgumentType | undefined): { readonly type?: ArgumentType } {
  return type === undefined ? {} : { type };
}

function typeOf(node: ExpressionNode): ArgumentType | undefined {
  if (node.kind === 'binary' && node.operator === '??') return typeOf(node.right) ?? typeOf(node.left);
  const value = constantOf(node);
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value)) return 'array';
  const type = typeof value;
  return type === 'string' || type === 'number' || type === 'boolean' ? type : 'object';
}

/** The one type whose values have the method that is called. */
function receiverOf({ callee }: CallNode): ArgumentType | undefined {
  const group = callee.kind === 'member' ? METHODS.get(callee.property.text) : undefined;
  if (!group) return undefined;
  const types = (['string', 'number', 'boolean', 'object'] as const).filter((type) => group[type]);
  const [type = 'array', other] = types;
  return other || (group.list && types.length > 0) ? undefined : type;
}
