import { bare, withText, type MethodTable } from './method.js';
import type { Evaluation } from './evaluation.js';
import { jsonText } from './plain-copy.js';
import { fieldNames, fieldOf } from './values.js';

/** Methods of objects. They are told from fields of the same name by the call: `x.keys` is a field. */
export const OBJECT_METHODS: MethodTable<object> = {
  keys: bare(countedNames),
  values: bare((record, evaluation) =>
    countedNames(record, evaluation).map((name) => fieldOf(record, name, evaluation)),
  ),
  has: withText((record, name, evaluation) => fieldOf(record, name, evaluation) !== undefined),
  size: bare((record, evaluation) => countedNames(record, evaluation).length),
  isEmpty: bare((record, evaluation) => countedNames(record, evaluation).length === 0),
  toString: bare<object>(jsonText),
};

function countedNames(record: object, evaluation: Evaluation): string[] {
  const names = fieldNames(record, evaluation);
  evaluation.spend(names.length);
  return names;
}
