import { bare, withText, type MethodTable } from './method.js';
import { jsonText } from './plain-copy.js';
import { fieldNames, fieldOf } from './values.js';

/** Methods of objects. They are told from fields of the same name by the call: `x.keys` is a field. */
export const OBJECT_METHODS: MethodTable<object> = {
  keys: bare(fieldNames),
  values: bare((record, evaluation) =>
    fieldNames(record, evaluation).map((name) => fieldOf(record, name, evaluation)),
  ),
  has: withText((record, name, evaluation) => fieldOf(record, name, evaluation) !== undefined),
  size: bare((record, evaluation) => fieldNames(record, evaluation).length),
  isEmpty: bare((record, evaluation) => fieldNames(record, evaluation).length === 0),
  toString: bare<object>(jsonText),
};
