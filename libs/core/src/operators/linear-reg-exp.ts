import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** A pattern the linear-time engine cannot run. */
export class UnsupportedPatternError extends Error {
  readonly pattern: string;

  constructor(pattern: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`the pattern ${JSON.stringify(pattern)} cannot run in linear time (${reason})`, { cause });
    this.name = 'UnsupportedPatternError';
    this.pattern = pattern;
  }
}

/**
 * A regular expression whose time grows with the length of the text alone: the patterns of the language's own
 * `RegExp` can burn minutes on thirty characters, and the texts here come from a model. The engine is loaded with
 * the first pattern.
 * @throws UnsupportedPatternError for look-around, back-references and what is no regular expression.
 */
export function linearRegExp(pattern: string): { test(text: string): boolean } {
  const { RE2JS } = require('re2js') as typeof import('re2js');
  try {
    return RE2JS.compile(RE2JS.translateRegExp(pattern));
  } catch (error) {
    throw new UnsupportedPatternError(pattern, error);
  }
}

export function isSupportedPattern(pattern: string): boolean {
  try {
    linearRegExp(pattern);
    return true;
  } catch {
    return false;
  }
}
