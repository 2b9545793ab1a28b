import { types } from 'node:util';
import type { Evaluation } from './evaluation.js';
import { COMPARISONS_PER_STEP } from './limits.js';

export type List = readonly unknown[];

/**
 * What an expression sees of a JavaScript value: what JSON would show, without running any code of the value.
 * Everything that enters an evaluation passes through here.
 *
 * | value | is seen as |
 * | --- | --- |
 * | `undefined`, function, symbol | `null` |
 * | NaN, infinite | `null` |
 * | BigInt | its digits as a string |
 * | Date | ISO string; `null` if invalid |
 * | Set | list |
 * | boxed string, number, boolean, BigInt | what is in the box |
 * | Map | object of its string keys |
 * | Buffer, typed array, ArrayBuffer | `null` |
 * | Proxy | `null`: it is code that looks like data |
 * | other objects | their own enumerable fields; never a getter, `toJSON` or anything of a prototype |
 */
export function toValue(raw: unknown, evaluation: Evaluation): unknown {
  switch (typeof raw) {
    case 'string':
    case 'boolean':
      return raw;
    case 'number':
      return finite(raw);
    case 'object':
      return raw === null ? null : toObject(raw, evaluation);
    case 'bigint':
      return digits(raw, evaluation);
    default:
      return null;
  }
}

function toObject(raw: object, evaluation: Evaluation): unknown {
  if (types.isProxy(raw)) return null;
  if (Array.isArray(raw) || hasPlainPrototype(raw)) return raw;
  if (types.isDate(raw)) return isoText(raw);
  if (types.isSet(raw)) return members(raw, evaluation);
  if (types.isBoxedPrimitive(raw)) return unboxed(raw, evaluation);
  return ArrayBuffer.isView(raw) || types.isAnyArrayBuffer(raw) ? null : raw;
}

function hasPlainPrototype(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function digits(value: bigint, evaluation: Evaluation): string {
  // Binary digits are cheap to make; the work for decimal ones grows with the square of their number.
  const { length } = value.toString(16);
  evaluation.spendText(length);
  evaluation.spend((length * length) / COMPARISONS_PER_STEP);
  return value.toString();
}

function unboxed(box: object, evaluation: Evaluation): unknown {
  if (types.isStringObject(box)) return String.prototype.valueOf.call(box);
  if (types.isNumberObject(box)) return finite(Number.prototype.valueOf.call(box));
  if (types.isBooleanObject(box)) return Boolean.prototype.valueOf.call(box);
  return types.isBigIntObject(box) ? digits(BigInt.prototype.valueOf.call(box), evaluation) : box;
}

// Methods are taken from the built-in prototypes: an instance may bring its own.
function isoText(date: Date): string | null {
  return Number.isNaN(Date.prototype.getTime.call(date)) ? null : Date.prototype.toISOString.call(date);
}

function members(set: ReadonlySet<unknown>, evaluation: Evaluation): List {
  const list: unknown[] = [];
  Set.prototype.forEach.call(set, (member) => {
    evaluation.spend(1);
    list.push(member);
  });
  return list;
}

/** A number that JSON has, -0 made 0; else null. */
export function finite(value: number): number | null {
  return Number.isFinite(value) ? value + 0 : null;
}

/** Falsy are `null`, `false` and `0`; `""`, `[]` and `{}` are truthy. */
export function isTruthy(value: unknown): boolean {
  return value !== null && value !== false && value !== 0;
}

export function isList(value: unknown): value is List {
  return Array.isArray(value);
}

/** An object of the language: neither null nor a list. */
export function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An element of a list, counted from 0; null if there is none. */
export function itemOf(list: List, index: number, evaluation: Evaluation): unknown {
  // Its descriptor, as an element can be a getter too.
  return toValue(Object.getOwnPropertyDescriptor(list, index)?.value, evaluation);
}

/** A field of an object; `undefined` if there is none, or if JSON would leave it out. */
export function fieldOf(record: object, name: string, evaluation: Evaluation): unknown {
  const raw = rawFieldOf(record, name);
  return raw === undefined || typeof raw === 'function' || typeof raw === 'symbol'
    ? undefined
    : toValue(raw, evaluation);
}

function rawFieldOf(record: object, name: string): unknown {
  if (isForbiddenName(name)) return undefined;
  if (!hasPlainPrototype(record) && types.isMap(record)) return Map.prototype.get.call(record, name);
  const descriptor = Object.getOwnPropertyDescriptor(record, name);
  return descriptor?.enumerable ? descriptor.value : undefined; // a getter has no value
}

/** The names of an object's fields, in their order. Each is a step, counted before it is looked at. */
export function fieldNames(record: object, evaluation: Evaluation): string[] {
  const names = ownNames(record);
  evaluation.spend(names.length);
  return names.filter((name) => fieldOf(record, name, evaluation) !== undefined);
}

/** As `fieldNames`, with the names of fields that JSON would leave out, and no steps. */
export function ownNames(record: object): readonly string[] {
  return types.isMap(record) ? stringKeys(record) : Object.keys(record);
}

function stringKeys(map: ReadonlyMap<unknown, unknown>): string[] {
  const names: string[] = [];
  Map.prototype.forEach.call(map, (_, key) => {
    if (typeof key === 'string') names.push(key);
  });
  return names;
}

/** Names that are never read nor written, whoever owns them. */
export function isForbiddenName(name: string): boolean {
  return name === '__proto__' || name === 'constructor' || name === 'prototype';
}
