import { createHash } from 'node:crypto';
import { toJsonSafe } from '../operators/json-safe.js';

/** A hash of a tool's name and arguments (SHA-256, hex); the order of an object's keys does not matter. */
export function argumentsHash(toolName: string, args: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify([toolName, sorted(toJsonSafe(args))]))
    .digest('hex');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, part]) => [key, sorted(part)]);
}
