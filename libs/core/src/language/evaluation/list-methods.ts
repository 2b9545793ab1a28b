import { elementOf } from './access.js';
import { isEqual } from './equality.js';
import type { Evaluation } from './evaluation.js';
import { greatest, least, sumOf } from './list-numbers.js';
import { distinct, reversed, sortedBy } from './list-order.js';
import { elements, placeOf } from './list-walk.js';
import {
  bare,
  withLambda,
  withOptionalLambda,
  withRange,
  withValue,
  type Lambda,
  type MethodTable,
} from './method.js';
import { jsonText } from './plain-copy.js';
import { joinTexts, textOf } from './text.js';
import { isList, isTruthy, type List } from './values.js';

/** Methods of lists. None changes the list; a lambda takes one element. */
export const LIST_METHODS: MethodTable<List> = {
  length: bare((list) => list.length),
  size: bare((list) => list.length),
  isEmpty: bare((list) => list.length === 0),
  first: bare((list, evaluation) => elementOf(list, 0, evaluation)),
  last: bare((list, evaluation) => elementOf(list, -1, evaluation)),
  contains: withValue((list, value, evaluation) => placeOfValue(list, value, evaluation) !== -1),
  indexOf: withValue(placeOfValue),
  any: withLambda((list, test, evaluation) => placeWhere(list, test, true, evaluation) !== -1),
  all: withLambda((list, test, evaluation) => placeWhere(list, test, false, evaluation) === -1),
  none: withLambda((list, test, evaluation) => placeWhere(list, test, true, evaluation) === -1),
  find: withLambda((list, test, evaluation) => {
    const place = placeWhere(list, test, true, evaluation);
    return place === -1 ? null : elementOf(list, place, evaluation);
  }),
  filter: withLambda(filtered),
  map: withLambda(mapped),
  count: withOptionalLambda((list, test, evaluation) =>
    test ? filtered(list, test, evaluation).length : list.length,
  ),
  sum: withOptionalLambda((list, number, evaluation) => sumOf(values(list, number, evaluation), evaluation)),
  min: withOptionalLambda((list, number, evaluation) => least(values(list, number, evaluation), evaluation)),
  max: withOptionalLambda((list, number, evaluation) =>
    greatest(values(list, number, evaluation), evaluation),
  ),
  join: {
    minArguments: 0,
    maxArguments: 1,
    lambda: 'never',
    run: (list, [separator = ','], evaluation) =>
      typeof separator === 'string' ? joined(list, separator, evaluation) : null,
  },
  slice: withRange(sliced),
  reverse: bare(reversed),
  flatten: bare(flattened),
  distinct: bare(distinct),
  sortBy: withLambda((list, key, evaluation) => sortedBy(list, mapped(list, key, evaluation), evaluation)),
  toString: bare<List>(jsonText),
};

function placeOfValue(list: List, value: unknown, evaluation: Evaluation): number {
  return placeOf(list, (item) => isEqual(item, value, evaluation), evaluation);
}

function placeWhere(list: List, test: Lambda, wanted: boolean, evaluation: Evaluation): number {
  return placeOf(list, (item) => isTruthy(test(evaluation, item)) === wanted, evaluation);
}

function filtered(list: List, test: Lambda, evaluation: Evaluation): List {
  const kept: unknown[] = [];
  for (const item of elements(list, evaluation)) if (isTruthy(test(evaluation, item))) kept.push(item);
  return kept;
}

function mapped(list: List, change: Lambda, evaluation: Evaluation): List {
  const changed: unknown[] = [];
  for (const item of elements(list, evaluation)) changed.push(change(evaluation, item));
  return changed;
}

function values(list: List, change: Lambda | null, evaluation: Evaluation): List {
  return change ? mapped(list, change, evaluation) : list;
}

function joined(list: List, separator: string, evaluation: Evaluation): string {
  const parts: string[] = [];
  for (const item of elements(list, evaluation)) parts.push(textOf(item, evaluation));
  return joinTexts(parts, separator, evaluation);
}

function sliced(list: List, start: number, end: number | undefined, evaluation: Evaluation): List {
  const part: unknown[] = [];
  const [from, to] = [placeIn(list, start), placeIn(list, end ?? list.length)];
  for (let index = from; index < to; index++) {
    evaluation.spend(1);
    part.push(elementOf(list, index, evaluation));
  }
  return part;
}

function placeIn({ length }: List, place: number): number {
  const whole = Math.trunc(place);
  return whole < 0 ? Math.max(0, whole + length) : Math.min(whole, length);
}

/** One level: an element that is a list gives its elements. */
function flattened(list: List, evaluation: Evaluation): List {
  const flat: unknown[] = [];
  for (const item of elements(list, evaluation)) {
    if (isList(item)) for (const inner of elements(item, evaluation)) flat.push(inner);
    else flat.push(item);
  }
  return flat;
}
