import type { Evaluation } from './evaluation.js';
import { jsonText } from './plain-copy.js';

/** A value in a text: null is nothing, lists and objects are JSON. */
export function textOf(value: unknown, evaluation: Evaluation): string {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
    case 'boolean':
      return String(value);
    default:
      return typeof value === 'object' && value !== null ? jsonText(value, evaluation) : '';
  }
}

/** @throws ExpressionLimitException `text`, before the text is made. */
export function joinTexts(parts: readonly string[], separator: string, evaluation: Evaluation): string {
  let length = Math.max(0, parts.length - 1) * separator.length;
  for (const part of parts) length += part.length;
  evaluation.reserveText(length);
  return parts.join(separator);
}
