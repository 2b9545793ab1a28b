import type { BinaryOperator } from '../syntax-tree.js';
import { compareOrder, isEqual } from './equality.js';
import type { Evaluation } from './evaluation.js';
import { joinTexts, textOf } from './text.js';
import { finite, isList, itemOf, type List } from './values.js';

type Operation = (left: unknown, right: unknown, evaluation: Evaluation) => unknown;

/** Operators that look at both sides, whatever the left one is. */
export const OPERATIONS: Readonly<Record<Exclude<BinaryOperator, '??' | '||' | '&&'>, Operation>> = {
  '==': isEqual,
  '!=': (left, right, evaluation) => !isEqual(left, right, evaluation),
  '<': ordered((order) => order < 0),
  '<=': ordered((order) => order <= 0),
  '>': ordered((order) => order > 0),
  '>=': ordered((order) => order >= 0),
  '+': add,
  '-': arithmetic((left, right) => left - right),
  '*': arithmetic((left, right) => left * right),
  '/': arithmetic((left, right) => left / right),
  '%': arithmetic((left, right) => left % right),
};

/** Of two numbers or two texts; false for all else. */
function ordered(holds: (order: number) => boolean): Operation {
  return (left, right, evaluation) => {
    const order = compareOrder(left, right, evaluation);
    return order !== null && holds(order);
  };
}

/** Of two numbers; null for all else, and where the result is no number: by zero, or too large. */
function arithmetic(compute: (left: number, right: number) => number): Operation {
  return (left, right) =>
    typeof left === 'number' && typeof right === 'number' ? finite(compute(left, right)) : null;
}

/** Adds numbers, joins as text if a side is a text, joins two lists; null for all else. */
function add(left: unknown, right: unknown, evaluation: Evaluation): unknown {
  if (typeof left === 'number' && typeof right === 'number') return finite(left + right);
  if (typeof left === 'string' || typeof right === 'string') {
    return joinTexts([textOf(left, evaluation), textOf(right, evaluation)], '', evaluation);
  }
  return isList(left) && isList(right) ? joinLists(left, right, evaluation) : null;
}

function joinLists(left: List, right: List, evaluation: Evaluation): List {
  evaluation.spend(left.length + right.length);
  const joined: unknown[] = [];
  for (const list of [left, right]) {
    for (let index = 0; index < list.length; index++) joined.push(itemOf(list, index, evaluation));
  }
  return joined;
}
