import type { Evaluation } from './evaluation.js';
import { itemOf, type List } from './values.js';

/**
 * Each element in turn; one step each. Lists are walked by hand everywhere: the methods of JavaScript's arrays ask
 * the array itself how to make a new one.
 */
export function* elements(list: List, evaluation: Evaluation): Generator<unknown, void, undefined> {
  for (let index = 0; index < list.length; index++) {
    evaluation.spend(1);
    yield itemOf(list, index, evaluation);
  }
}

/** The place of the first element that passes; -1 if none does. */
export function placeOf(list: List, passes: (item: unknown) => boolean, evaluation: Evaluation): number {
  let index = 0;
  for (const item of elements(list, evaluation)) {
    if (passes(item)) return index;
    index++;
  }
  return -1;
}
