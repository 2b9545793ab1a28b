import { types } from 'node:util';
import { isWellFormed, wellFormed } from '../messages/well-formed.js';
import { thrownMessage } from './tool-error.js';

/** Levels of nesting that are kept. `JSON.stringify` itself gives up at some thousands. */
const DEPTH_LIMIT = 200;
/** Objects and arrays that are kept: a graph whose parts are shared many times grows without end as JSON. */
const NODE_LIMIT = 100_000;

/**
 * A value in the form it has as JSON: equal to itself after a round trip, so that a result is the same live and
 * when it is read again from a store. A value that is plain JSON already is given back as it is, not copied.
 *
 * | value | becomes |
 * | --- | --- |
 * | `undefined`, function, symbol | left out of objects; `null` elsewhere |
 * | BigInt | its digits as a string |
 * | NaN, infinite | `null` |
 * | Date | ISO string; `null` if invalid |
 * | Map | object if all keys are strings, else array of pairs |
 * | Set | array |
 * | Buffer, typed array, ArrayBuffer | `{ type: 'Buffer', base64 }` |
 * | Error | `{ name, message }` |
 * | other objects | what their `toJSON` gives, else their own enumerable properties |
 * | circular | `"[Circular]"` |
 * | deeper than 200 levels | `"[Too deep]"` |
 * | beyond 100,000 objects and arrays | `"[Too large]"` |
 * | whatever throws when it is read | `"[Unserializable: …]"` |
 *
 * Strings and keys become well-formed and lose NUL characters.
 */
export function toJsonSafe(value: unknown): unknown {
  if (isPlainJson(value)) return value;
  return new JsonSafeCopy().element(value);
}

/** True if `JSON.parse(JSON.stringify(value))` would give the same value and all its text is well-formed. */
function isPlainJson(value: unknown): boolean {
  let nodes = 0;
  const isPlain = (part: unknown, depth: number): boolean => {
    if (typeof part === 'string') return isWellFormed(part);
    if (typeof part === 'number') return Number.isFinite(part) && !Object.is(part, -0);
    if (typeof part !== 'object') return typeof part === 'boolean';
    if (part === null) return true;
    if (depth === DEPTH_LIMIT || ++nodes > NODE_LIMIT) return false;
    if (Array.isArray(part)) {
      if (Object.getPrototypeOf(part) !== Array.prototype || 'toJSON' in part) return false;
      for (let index = 0; index < part.length; index++) if (!isPlain(part[index], depth + 1)) return false;
      return true;
    }
    const prototype: unknown = Object.getPrototypeOf(part);
    if ((prototype !== Object.prototype && prototype !== null) || 'toJSON' in part) return false;
    const record = part as Readonly<Record<string, unknown>>;
    for (const key in record) if (!isWellFormed(key) || !isPlain(record[key], depth + 1)) return false;
    return true;
  };
  try {
    return isPlain(value, 0);
  } catch {
    return false; // a getter or a Proxy threw: the copy says where
  }
}

/** What stands for a value that throws when it is read. */
export function unserializable(error: unknown): string {
  return `[Unserializable: ${thrownMessage(error)}]`;
}

class JsonSafeCopy {
  readonly #ancestors = new Set<object>();
  #nodes = 0;

  /** The JSON form where a value must stand: at the top and in arrays. */
  element(value: unknown, key = ''): unknown {
    return this.#guarded(() => this.#convert(value, key)) ?? null;
  }

  #guarded(convert: () => unknown): unknown {
    try {
      return convert();
    } catch (error) {
      return unserializable(error);
    }
  }

  /** `undefined` where JSON has nothing. */
  #convert(value: unknown, key: string, asksToJson = true): unknown {
    switch (typeof value) {
      case 'string':
        return wellFormed(value);
      case 'number':
        return Number.isFinite(value) ? value + 0 : null; // + 0 makes a 0 of -0, as JSON does
      case 'bigint':
        return value.toString();
      case 'boolean':
        return value;
      case 'object':
        return value === null ? null : this.#object(value, key, asksToJson);
      default:
        return undefined;
    }
  }

  #object(value: object, key: string, asksToJson: boolean): unknown {
    if (this.#ancestors.has(value)) return '[Circular]';
    if (this.#ancestors.size >= DEPTH_LIMIT) return '[Too deep]';
    if (++this.#nodes > NODE_LIMIT) return '[Too large]';
    this.#ancestors.add(value);
    try {
      return this.#contents(value, key, asksToJson);
    } finally {
      this.#ancestors.delete(value);
    }
  }

  #contents(value: object, key: string, asksToJson: boolean): unknown {
    if (ArrayBuffer.isView(value)) return base64(value.buffer, value.byteOffset, value.byteLength);
    if (types.isAnyArrayBuffer(value)) return base64(value, 0, value.byteLength);
    if (types.isNativeError(value) || value instanceof Error) {
      const { name, message }: { name: unknown; message: unknown } = value; // anything may have been assigned
      return { name: wellFormed(String(name)), message: wellFormed(String(message)) };
    }
    if (asksToJson && 'toJSON' in value && typeof value.toJSON === 'function') {
      const json: unknown = value.toJSON(key);
      // As in JSON.stringify, what a toJSON gives is not asked for its own.
      return json === value ? this.#structure(value) : this.#convert(json, key, false);
    }
    return this.#structure(value);
  }

  #structure(value: object): unknown {
    if (types.isBoxedPrimitive(value)) return this.#convert(value.valueOf(), '');
    if (Array.isArray(value)) return this.#array(value);
    if (types.isSet(value)) return this.#array([...value]);
    if (types.isMap(value)) {
      const entries = [...value];
      return entries.every((entry): entry is [string, unknown] => typeof entry[0] === 'string')
        ? this.#record(entries.map(([name, item]) => [name, () => item]))
        : this.#array(entries);
    }
    const record = value as Readonly<Record<string, unknown>>;
    return this.#record(Object.keys(record).map((name) => [name, () => record[name]]));
  }

  #array(items: readonly unknown[]): unknown[] {
    const copy: unknown[] = [];
    for (let index = 0; index < items.length && this.#nodes <= NODE_LIMIT; index++) {
      copy.push(this.element(items[index], String(index)));
    }
    return copy;
  }

  #record(entries: readonly (readonly [string, () => unknown])[]): Record<string, unknown> {
    const copy: Record<string, unknown> = {};
    for (const [name, read] of entries) {
      if (this.#nodes > NODE_LIMIT) break;
      const item = this.#guarded(() => this.#convert(read(), name));
      if (item !== undefined) setOwn(copy, wellFormed(name), item);
    }
    return copy;
  }
}

/** An assignment to `__proto__` would set the prototype. */
function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') target[key] = value;
  else Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

function base64(buffer: ArrayBufferLike, offset: number, length: number): { type: 'Buffer'; base64: string } {
  return { type: 'Buffer', base64: Buffer.from(buffer, offset, length).toString('base64') };
}
