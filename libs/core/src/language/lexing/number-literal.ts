import { isDigit, namePartEnd } from './characters.js';

const DOT = 46;
const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

export type NumberReading =
  { readonly value: number; readonly duration: boolean } | { readonly problem: string };

/** Where the number that starts at `start` ends, with all letters and digits that stick to it. */
export function numberEnd(source: string, start: number): number {
  let at = digitsEnd(source, start);
  if (isFraction(source, at)) at = digitsEnd(source, at + 1);
  if (source[at] === 'e' || source[at] === 'E') {
    const sign = source[at + 1] === '+' || source[at + 1] === '-' ? 1 : 0;
    if (isDigit(source.charCodeAt(at + 1 + sign))) at = digitsEnd(source, at + 1 + sign);
  }
  for (;;) {
    const end = namePartEnd(source, at);
    if (!isFraction(source, end)) return end;
    at = end + 1;
  }
}

/** The value of a number (`12`, `0.7`, `.5`, `2e-3`) or of a duration in ms (`25ms`, `1.5h`), or what is wrong with it. */
export function readNumber(text: string): NumberReading {
  if (/^(?:\d+|\d*\.\d+)(?:[eE][+-]?\d+)?$/.test(text)) {
    const value = Number(text);
    if (!Number.isFinite(value)) return { problem: 'This number is too large.' };
    return /^\d+$/.test(text) ? exact(value, false) : { value, duration: false };
  }
  const duration = /^(?:(\d+)ms|(\d+(?:\.\d+)?)([smhd]))$/.exec(text);
  if (!duration) return { problem: 'This is no number and no duration.' };
  const [, milliseconds, amount = '', unit = ''] = duration;
  return exact(Math.round(Number(milliseconds ?? Number(amount) * (UNITS[unit] ?? 0))), true);
}

function exact(value: number, duration: boolean): NumberReading {
  if (value > Number.MAX_SAFE_INTEGER) {
    return { problem: 'This number is too large to be exact; the largest is 9007199254740991.' };
  }
  return { value, duration };
}

function digitsEnd(source: string, start: number): number {
  let at = start;
  while (isDigit(source.charCodeAt(at))) at++;
  return at;
}

function isFraction(source: string, at: number): boolean {
  return source.charCodeAt(at) === DOT && isDigit(source.charCodeAt(at + 1));
}
