import type { Evaluation } from './evaluation.js';
import { bare, withRange, withText, type MethodTable } from './method.js';
import { joinTexts } from './text.js';
import { finite } from './values.js';

/** Methods of texts. Lengths and places are in UTF-16 code units; what is searched for is plain text. */
export const STRING_METHODS: MethodTable<string> = {
  length: bare((text) => text.length),
  size: bare((text) => text.length),
  isEmpty: bare((text) => text.length === 0),
  contains: withText((text, part, evaluation) => {
    evaluation.spendSearch(text, part);
    return text.includes(part);
  }),
  startsWith: withText((text, part, evaluation) => {
    evaluation.spendText(part.length);
    return text.startsWith(part);
  }),
  endsWith: withText((text, part, evaluation) => {
    evaluation.spendText(part.length);
    return text.endsWith(part);
  }),
  indexOf: withText((text, part, evaluation) => {
    evaluation.spendSearch(text, part);
    return text.indexOf(part);
  }),
  toLowerCase: bare((text, evaluation) => {
    reserveCaseChange(text, evaluation);
    return text.toLowerCase();
  }),
  toUpperCase: bare((text, evaluation) => {
    reserveCaseChange(text, evaluation);
    return text.toUpperCase();
  }),
  trim: bare((text, evaluation) => {
    evaluation.spendText(text.length);
    return text.trim();
  }),
  split: withText(splitText),
  substring: withRange((text, start, end) => text.slice(start, end)),
  slice: withRange((text, start, end) => text.slice(start, end)),
  replace: {
    minArguments: 2,
    maxArguments: 2,
    lambda: 'never',
    run: (text, [from, to], evaluation) =>
      typeof from === 'string' && typeof to === 'string' ? replaceAll(text, from, to, evaluation) : null,
  },
  toNumber: bare((text, evaluation) => {
    evaluation.spendText(text.length);
    return text.trim() === '' ? null : finite(Number(text)); // JavaScript makes a 0 of an empty text
  }),
  toString: bare((text) => text),
};

/** Outside ASCII it is the slowest thing to do to a character. */
function reserveCaseChange({ length }: string, evaluation: Evaluation): void {
  evaluation.reserveText(length);
  evaluation.spendText(3 * length);
}

function splitText(text: string, separator: string, evaluation: Evaluation): readonly string[] {
  evaluation.spendSearch(text, separator);
  const pieces = text.split(separator, evaluation.stepsLeft + 1); // one more than there may be
  evaluation.spend(pieces.length);
  return pieces;
}

/** Each occurrence, from the left; an empty text occurs nowhere. */
function replaceAll(text: string, from: string, to: string, evaluation: Evaluation): string {
  return from === '' ? text : joinTexts(splitText(text, from, evaluation), to, evaluation);
}
