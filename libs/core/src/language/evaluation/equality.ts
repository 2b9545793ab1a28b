import type { Evaluation } from './evaluation.js';
import { fieldNames, fieldOf, isList, isRecord, itemOf, type List } from './values.js';

/**
 * `left == right`: values of different types are never equal; lists and objects by their contents.
 * @throws ExpressionLimitException `steps`, also for two different structures that contain themselves.
 */
export function isEqual(left: unknown, right: unknown, evaluation: Evaluation): boolean {
  if (typeof left === 'string' && typeof right === 'string') {
    if (left.length !== right.length) return false;
    evaluation.spendText(left.length);
  }
  if (left === right) return true;
  return isComposite(left) && isComposite(right) && hasEqualContents([left, right], evaluation);
}

function isComposite(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** @param pairs what is still to be compared, two by two: a stack, as data may be nested deeper than calls can be. */
function hasEqualContents(pairs: object[], evaluation: Evaluation): boolean {
  for (let right = pairs.pop(), left = pairs.pop(); left && right; right = pairs.pop(), left = pairs.pop()) {
    if (!compareContents(left, right, pairs, evaluation)) return false;
  }
  return true;
}

function compareContents(left: object, right: object, pairs: object[], evaluation: Evaluation): boolean {
  if (isList(left)) return isList(right) && compareLists(left, right, pairs, evaluation);
  return isRecord(right) && compareRecords(left, right, pairs, evaluation);
}

function compareLists(left: List, right: List, pairs: object[], evaluation: Evaluation): boolean {
  if (left.length !== right.length) return false;
  for (let index = 0; index < left.length; index++) {
    evaluation.spend(1);
    const one = itemOf(left, index, evaluation);
    if (!compareParts(one, itemOf(right, index, evaluation), pairs, evaluation)) return false;
  }
  return true;
}

function compareRecords(left: object, right: object, pairs: object[], evaluation: Evaluation): boolean {
  const names = fieldNames(left, evaluation);
  if (names.length !== fieldNames(right, evaluation).length) return false;
  return names.every((name) =>
    compareParts(fieldOf(left, name, evaluation), fieldOf(right, name, evaluation), pairs, evaluation),
  );
}

/** False if two parts differ at once; what has contents is left for later. */
function compareParts(left: unknown, right: unknown, pairs: object[], evaluation: Evaluation): boolean {
  if (!isComposite(left) || !isComposite(right)) return isEqual(left, right, evaluation);
  if (left !== right) pairs.push(left, right);
  return true;
}

/** How two numbers or two texts stand to each other: negative, 0 or positive; null for all else. */
export function compareOrder(left: unknown, right: unknown, evaluation: Evaluation): number | null {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  if (typeof left !== 'string' || typeof right !== 'string') return null;
  evaluation.spendText(Math.min(left.length, right.length));
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
