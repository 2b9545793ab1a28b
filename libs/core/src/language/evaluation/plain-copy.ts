/// <reference lib="es2024.string" />
import { ExpressionLimitException } from '../../errors/expression-limit.exception.js';
import type { Evaluation } from './evaluation.js';
import { OUTPUT_LIMIT, TEXT_LIMIT, VALUE_LIMIT, VALUE_SIZE } from './limits.js';
import { fieldOf, isList, itemOf, ownNames } from './values.js';

/**
 * A value as it leaves an evaluation: plain JSON data that shares nothing with what came in. Half surrogates, which
 * cutting a text can make, become U+FFFD.
 * @throws ExpressionLimitException `output`, `nesting`
 */
export function plainCopy(value: unknown, evaluation: Evaluation): unknown {
  if (typeof value !== 'object' || value === null) return leaving(value);
  let size = 0;
  return copyOf(value, evaluation, 0, (characters) => {
    size += characters + VALUE_SIZE;
    if (size > OUTPUT_LIMIT) throw new ExpressionLimitException('output', OUTPUT_LIMIT);
  });
}

/** A list or an object as JSON. @throws ExpressionLimitException `text`, `steps`, `nesting` */
export function jsonText(value: object, evaluation: Evaluation): string {
  let size = 0;
  const copy = copyOf(value, evaluation, 0, (characters) => {
    evaluation.spend(1);
    size += characters;
    if (size > TEXT_LIMIT) throw new ExpressionLimitException('text', TEXT_LIMIT);
  });
  const text = JSON.stringify(copy);
  evaluation.reserveText(text.length); // escapes can make it longer
  return text;
}

/** @param claim is told of each value and name before it is copied, with its length if it is a text. */
function copyOf(
  value: unknown,
  evaluation: Evaluation,
  depth: number,
  claim: (characters: number) => void,
): unknown {
  claim(typeof value === 'string' ? value.length : 0);
  if (typeof value !== 'object' || value === null) return leaving(value);
  if (depth === VALUE_LIMIT) throw new ExpressionLimitException('nesting', VALUE_LIMIT);
  if (isList(value)) {
    const items: unknown[] = [];
    for (let index = 0; index < value.length; index++) {
      items.push(copyOf(itemOf(value, index, evaluation), evaluation, depth + 1, claim));
    }
    return items;
  }
  const record: Record<string, unknown> = {};
  for (const name of ownNames(value)) {
    const field = fieldOf(value, name, evaluation);
    if (field === undefined) continue;
    claim(name.length);
    record[name.toWellFormed()] = copyOf(field, evaluation, depth + 1, claim);
  }
  return record;
}

function leaving(value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed() : value;
}
