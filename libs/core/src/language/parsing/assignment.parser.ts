import type { ExpressionParser } from './expression.parser.js';
import { startsItem, startsValue } from './item-start.js';
import { parseKey } from './name.parser.js';
import { quoted } from './quoted.js';
import type { AssignmentNode } from '../syntax-tree.js';
import { Token } from '../lexing/token.js';

/**
 * Reads `key = value` into `into`, the key a word or a string; a stray word is told and passed.
 * @returns false, with no token taken, where no key stands.
 */
export function parseAssignment(
  expressions: ExpressionParser,
  into: { push(node: AssignmentNode): unknown },
): boolean {
  const { stream } = expressions;
  if (!stream.at(Token.Name) && !stream.at(Token.String)) return false;
  const key = parseKey(stream);
  if (!stream.accept(Token.Equal)) {
    stream.missing('expected-equals', `Expected "=" after ${quoted(key.text)}`);
    const isOtherSign = stream.at(Token.Colon) || stream.at(Token.EqualEqual);
    if (isOtherSign) stream.take();
    else if (!startsValue(stream) || startsItem(stream)) return true;
  }
  const value = expressions.value();
  into.push({ kind: 'assignment', key, value, span: stream.spanFrom(key.span.start) });
  return true;
}
