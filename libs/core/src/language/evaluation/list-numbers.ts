import type { Evaluation } from './evaluation.js';
import { elements } from './list-walk.js';
import { finite, type List } from './values.js';

/** 0 for an empty list; null if an element is no number. */
export function sumOf(list: List, evaluation: Evaluation): number | null {
  return folded(list, 0, (sum, number) => sum + number, evaluation);
}

/** Null for an empty list, and if an element is no number. */
export function least(list: List, evaluation: Evaluation): number | null {
  return folded(list, Infinity, Math.min, evaluation);
}

/** Null for an empty list, and if an element is no number. */
export function greatest(list: List, evaluation: Evaluation): number | null {
  return folded(list, -Infinity, Math.max, evaluation);
}

function folded(
  list: List,
  start: number,
  combine: (result: number, number: number) => number,
  evaluation: Evaluation,
): number | null {
  let result = start;
  for (const item of elements(list, evaluation)) {
    if (typeof item !== 'number') return null;
    result = combine(result, item);
  }
  return finite(result);
}
