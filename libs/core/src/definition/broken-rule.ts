import { toJsonSafe } from '../operators/json-safe.js';

const MOST = 100;

/** `maxTurns is 0; it must be a whole number >= 1.` */
export function rule(field: string, value: unknown, must: string): string {
  const full = shown(value);
  return `${field} is ${full.length > MOST ? `${full.slice(0, MOST)}…` : full}; it must be ${must}.`;
}

function shown(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'string' || (typeof value === 'object' && value !== null)) {
    return JSON.stringify(toJsonSafe(value));
  }
  return String(value);
}
