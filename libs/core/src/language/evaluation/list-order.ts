import { compareOrder, isEqual } from './equality.js';
import type { Evaluation } from './evaluation.js';
import { elements } from './list-walk.js';
import type { List } from './values.js';

export function reversed(list: List, evaluation: Evaluation): List {
  return [...elements(list, evaluation)].toReversed();
}

/** The first of each equal elements. */
export function distinct(list: List, evaluation: Evaluation): List {
  const simple = new Set<unknown>();
  const composite: unknown[] = [];
  const isNew = (item: unknown): boolean => {
    if (typeof item === 'string') evaluation.spendText(item.length);
    if (typeof item !== 'object' || item === null) return simple.size < simple.add(item).size;
    if (composite.some((kept) => isEqual(kept, item, evaluation))) return false;
    composite.push(item);
    return true;
  };
  return [...elements(list, evaluation)].filter(isNew);
}

/**
 * The elements in the rising order of their keys: numbers, then texts, then what has no order; equal keys keep
 * their order.
 * @param keys one for each element
 */
export function sortedBy(list: List, keys: List, evaluation: Evaluation): List {
  return [...elements(list, evaluation)]
    .map((item, place) => ({ item, key: keys[place] }))
    .sort((left, right) => compareKeys(left.key, right.key, evaluation))
    .map(({ item }) => item);
}

function compareKeys(left: unknown, right: unknown, evaluation: Evaluation): number {
  evaluation.spend(1);
  return compareOrder(left, right, evaluation) ?? rank(left) - rank(right);
}

function rank(key: unknown): number {
  if (typeof key === 'number') return 0;
  return typeof key === 'string' ? 1 : 2;
}
