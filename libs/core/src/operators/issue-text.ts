import type { InputIssue } from './input-schema.js';

/** `path: message`; the message alone where the whole value is meant. */
export function issueText({ path, message }: InputIssue): string {
  return path ? `${path}: ${message}` : message;
}
