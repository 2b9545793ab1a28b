import { ExpressionLimitException } from '../../errors/expression-limit.exception.js';
import type {
  BinaryNode,
  CallNode,
  ConditionalNode,
  ExpressionNode,
  LambdaNode,
  ObjectNode,
  UnaryNode,
  WhenNode,
} from '../syntax-tree.js';
import { elementOf, memberOf } from './access.js';
import { OPERATIONS } from './binary-operators.js';
import { NESTING_LIMIT, TREE_LIMIT } from './limits.js';
import type { Lambda, MethodSignature } from './method.js';
import { callMethod, METHODS } from './methods.js';
import {
  chain,
  conditional,
  functionCall,
  list,
  match,
  NOTHING,
  record,
  template,
  valuesOf,
  variable,
  type Link,
  type Thunk,
} from './thunks.js';
import { isForbiddenName, isTruthy } from './values.js';

/** Where an expression stands. */
interface Place {
  /** Levels above it. */
  readonly depth: number;
  /** Those of them that are no operand of an operator. */
  readonly nesting: number;
  /** Parameters of the lambdas around it, outermost first. */
  readonly parameters: readonly string[];
}

const TOP: Place = { depth: 0, nesting: 0, parameters: [] };

/** Turns a tree into closures. What is wrong in the tree is for the checks to say: here it is null. */
export class ExpressionCompiler {
  readonly #variables: ReadonlySet<string>;
  readonly #functions: ReadonlySet<string>;

  constructor(variables: Iterable<string>, functions: Iterable<string>) {
    this.#variables = new Set(variables);
    this.#functions = new Set(functions);
  }

  /** @throws ExpressionLimitException `nesting` */
  compile(node: ExpressionNode, outer: Place = TOP): Thunk {
    if (outer.depth === TREE_LIMIT) throw new ExpressionLimitException('nesting', TREE_LIMIT);
    const place = { ...outer, depth: outer.depth + 1 };
    const links: Link[] = [];
    let head = node;
    // `a + b + c` and `a.b().c` are trees that lean to the left, as deep as they are long: no recursion there.
    for (let step = this.#step(head, place); step !== null; step = this.#step(head, place)) {
      links.push(step.link);
      head = step.operand;
    }
    return chain(this.#head(head, place), links.toReversed());
  }

  #inside(node: ExpressionNode, place: Place): Thunk {
    if (place.nesting === NESTING_LIMIT) throw new ExpressionLimitException('nesting', NESTING_LIMIT);
    return this.compile(node, { ...place, nesting: place.nesting + 1 });
  }

  /** What a node does to its leftmost part; null if it has none. */
  #step(node: ExpressionNode, place: Place): { operand: ExpressionNode; link: Link } | null {
    switch (node.kind) {
      case 'binary':
        return { operand: node.left, link: this.#binary(node, place) };
      case 'unary':
        return { operand: node.operand, link: unary(node) };
      case 'member': {
        const { text } = node.property;
        return { operand: node.object, link: (evaluation, object) => memberOf(object, text, evaluation) };
      }
      case 'index': {
        const index = this.#inside(node.index, place);
        return {
          operand: node.object,
          link: (evaluation, object) => elementOf(object, index(evaluation), evaluation),
        };
      }
      case 'call': {
        const { callee } = node;
        if (callee.kind !== 'member') return null;
        return { operand: callee.object, link: this.#methodCall(callee.property.text, node, place) };
      }
      default:
        return null;
    }
  }

  #head(node: ExpressionNode, place: Place): Thunk {
    switch (node.kind) {
      case 'literal': {
        const { value } = node;
        return () => value;
      }
      case 'template':
        return template(
          node.parts.map((part) => (typeof part === 'string' ? part : this.#inside(part, place))),
        );
      case 'array':
        return list(this.#all(node.items, place));
      case 'object':
        return this.#object(node, place);
      case 'variable':
        return this.#variable(node.name, place);
      case 'call':
        return this.#functionCall(node, place);
      case 'conditional':
        return this.#conditional(node, place);
      case 'when':
        return this.#when(node, place);
      default:
        return NOTHING; // a lambda that is no argument, or what the parser could not read
    }
  }

  #all(nodes: readonly ExpressionNode[], place: Place): Thunk[] {
    return nodes.map((node) => this.#inside(node, place));
  }

  #binary({ operator, right }: BinaryNode, place: Place): Link {
    const other = this.compile(right, place);
    switch (operator) {
      case '??':
        return (evaluation, left) => left ?? other(evaluation);
      case '||':
        return (evaluation, left) => (isTruthy(left) ? left : other(evaluation));
      case '&&':
        return (evaluation, left) => (isTruthy(left) ? other(evaluation) : left);
      default: {
        const operation = OPERATIONS[operator];
        return (evaluation, left) => operation(left, other(evaluation), evaluation);
      }
    }
  }

  #object({ entries }: ObjectNode, place: Place): Thunk {
    const allowed = entries.filter(({ key }) => !isForbiddenName(key.text));
    return record(allowed.map(({ key, value }) => [key.text, this.#inside(value, place)] as const));
  }

  #variable(name: string, { parameters }: Place): Thunk {
    const level = parameters.lastIndexOf(name);
    if (level !== -1) return (evaluation) => evaluation.parameters[level];
    return this.#variables.has(name) ? variable(name) : NOTHING;
  }

  #functionCall({ callee, arguments: args }: CallNode, place: Place): Thunk {
    const known =
      callee.kind === 'variable' &&
      this.#functions.has(callee.name) &&
      !place.parameters.includes(callee.name);
    return known ? functionCall(callee.name, this.#all(args, place)) : NOTHING;
  }

  #methodCall(name: string, { arguments: given }: CallNode, place: Place): Link {
    const group = METHODS.get(name);
    if (!group || !fits(group.signature, given)) return NOTHING;
    const [first] = given;
    const lambda = first?.kind === 'lambda' ? this.#lambda(first, place) : null;
    const args = this.#all(lambda ? given.slice(1) : given, place);
    return (evaluation, receiver) =>
      callMethod(group, receiver, valuesOf(args, evaluation), evaluation, lambda);
  }

  #lambda({ parameter, body }: LambdaNode, place: Place): Lambda {
    const level = place.parameters.length;
    const value = this.#inside(body, { ...place, parameters: [...place.parameters, parameter.text] });
    return (evaluation, item) => {
      evaluation.parameters[level] = item;
      return value(evaluation);
    };
  }

  /** `a ? b : c ? d : e` leans to the right: no recursion there either. */
  #conditional(node: ConditionalNode, place: Place): Thunk {
    const arms: (readonly [Thunk, Thunk])[] = [];
    let last: ExpressionNode = node;
    for (; last.kind === 'conditional'; last = last.otherwise) {
      arms.push([this.#inside(last.test, place), this.#inside(last.then, place)]);
    }
    return conditional(arms, this.#inside(last, place));
  }

  #when({ subject, branches, otherwise }: WhenNode, place: Place): Thunk {
    return match(
      this.#inside(subject, place),
      branches.map(
        ({ pattern, value }) => [this.#inside(pattern, place), this.#inside(value, place)] as const,
      ),
      otherwise ? this.#inside(otherwise, place) : NOTHING,
    );
  }
}

function unary({ operator }: UnaryNode): Link {
  if (operator === '!') return (_, operand) => !isTruthy(operand);
  return (_, operand) => (typeof operand === 'number' ? 0 - operand : null);
}

function fits(signature: MethodSignature, given: readonly ExpressionNode[]): boolean {
  if (given.length < signature.minArguments || given.length > signature.maxArguments) return false;
  const takesLambda = signature.lambda !== 'never' && given.length > 0;
  return takesLambda === (given[0]?.kind === 'lambda');
}
