import type { Evaluation } from './evaluation.js';
import { fieldOf, isList, isRecord, itemOf } from './values.js';

/** `value.name`; null where nothing is. Texts and lists have `length` and `size`. */
export function memberOf(value: unknown, name: string, evaluation: Evaluation): unknown {
  if (isRecord(value)) return fieldOf(value, name, evaluation) ?? null;
  if (name !== 'length' && name !== 'size') return null;
  return typeof value === 'string' || isList(value) ? value.length : null;
}

/** `value[index]`: an element or a character by its place, from the end if negative; a field by its name. */
export function elementOf(value: unknown, index: unknown, evaluation: Evaluation): unknown {
  if (typeof index === 'string') return memberOf(value, index, evaluation);
  if (typeof index !== 'number') return null;
  if (isRecord(value)) return memberOf(value, String(index), evaluation);
  if (!Number.isInteger(index)) return null;
  if (isList(value)) return itemOf(value, fromStart(index, value.length), evaluation);
  return typeof value === 'string' ? (value[fromStart(index, value.length)] ?? null) : null;
}

function fromStart(index: number, length: number): number {
  return index < 0 ? index + length : index;
}
