import { wellFormed } from '../messages/well-formed.js';
import { cutText } from './cut-text.js';
import type { InputIssue, InputValidation } from './input-schema.js';

/** A model mends a few problems at a time; a text of thousands would only fill its window. */
const ISSUE_LIMIT = 10;
const PATH_LIMIT = 200;
const MESSAGE_LIMIT = 300;
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/** A failed validation with the first ten issues, their texts cut to what a model needs. */
export function failedValidation(issues: Iterable<InputIssue>): InputValidation {
  const first: InputIssue[] = [];
  for (const { path, message } of issues) {
    if (first.push({ path: short(path, PATH_LIMIT), message: short(message, MESSAGE_LIMIT) }) === ISSUE_LIMIT)
      break;
  }
  return { ok: false, issues: first };
}

/** A path as people write it, e.g. `items[2].price` or `headers["x-id"]`. */
export function issuePath(segments: readonly PropertyKey[]): string {
  let path = '';
  for (const segment of segments) {
    const name = String(segment);
    if (typeof segment === 'number') path += `[${name}]`;
    else if (!IDENTIFIER.test(name)) path += `[${JSON.stringify(name)}]`;
    else path += path ? `.${name}` : name;
  }
  return path;
}

function short(text: string, limit: number): string {
  return cutText(wellFormed(text), limit);
}
