import { nearestName } from '../../errors/did-you-mean.js';
import { lacksOpeningBrace } from './brace-balance.js';
import type { ExpressionParser } from './expression.parser.js';
import { startsBrokenItem, startsItem, startsItemAfterComma, startsValue } from './item-start.js';
import { parseKey } from './name.parser.js';
import { quoted } from './quoted.js';
import type { AssignmentNode, ExpressionNode, NameNode } from '../syntax-tree.js';
import type { TokenStream } from './token-stream.js';
import { Token } from '../lexing/token.js';

/**
 * Reads `key = value` into `into`, the key a word or a string; a stray word is told and passed, and so is what stands
 * behind the value on its line.
 * @param isField true for a field of an input, whose name may be any.
 * @returns false, with no token taken, where no key stands.
 */
export function parseAssignment(
  expressions: ExpressionParser,
  into: { push(node: AssignmentNode): unknown },
  isField = false,
): boolean {
  const { stream } = expressions;
  if (!stream.at(Token.Name) && !stream.at(Token.String)) return false;
  stream.beginStatement();
  const key = parseHyphenated(stream, isField) ?? parseKey(stream);
  if (!stream.accept(Token.Equal) && !passOtherSign(stream, key)) return true;
  const value = expressions.value();
  passRest(stream, value);
  into.push({ kind: 'assignment', key, value, span: stream.spanFrom(key.span.start) });
  return true;
}

/** Reads a key such as `my-key`, if one stands here: in an expression it would be a subtraction. */
function parseHyphenated(stream: TokenStream, isField: boolean): NameNode | undefined {
  if (!stream.at(Token.Name) || !stream.at(Token.Minus, 1)) return undefined;
  const start = stream.start();
  const parts = hyphenatedParts(stream);
  if (parts === 0) return undefined;
  const span = { start, end: stream.span(parts - 1).end };
  const text = stream.source.slice(start, span.end);
  if (isField) {
    const hint = `write "${text}" = …, or ${text.replaceAll('-', '_')} = …`;
    stream.problemHere('invalid-key', `${quoted(text)} is no word: "-" subtracts.`, { hint }, span);
  }
  for (let n = 0; n < parts; n++) stream.take();
  return { text, span };
}

/** How many tokens `my-key` before `=` is of; 0 if none stands here. */
function hyphenatedParts(stream: TokenStream): number {
  let parts = 1;
  while (
    stream.at(Token.Minus, parts) &&
    (stream.at(Token.Name, parts + 1) || stream.at(Token.Number, parts + 1))
  ) {
    const isAttached =
      stream.span(parts - 1).end === stream.start(parts) &&
      stream.span(parts).end === stream.start(parts + 1);
    if (!isAttached) return 0;
    parts += 2;
  }
  return parts > 1 && stream.at(Token.Equal, parts) ? parts : 0;
}

/** Tells that `=` is missing, and passes what stands for it. False if no value seems to follow. */
function passOtherSign(stream: TokenStream, key: NameNode): boolean {
  const isArrow = stream.at(Token.Arrow);
  // Of `=>` the lexer has told in another way.
  if (isArrow) stream.passOver(stream.span());
  const isOther = isArrow || stream.at(Token.Colon) || stream.at(Token.EqualEqual);
  stream.missing(
    'expected-equals',
    `Expected "=" after ${quoted(key.text)}`,
    isOther ? { hint: 'write "="' } : {},
  );
  if (!isOther) return startsValue(stream) && !startsItem(stream);
  const isAssigned = stream.at(Token.Colon);
  stream.take();
  // `:=`
  if (isAssigned) stream.accept(Token.Equal);
  return true;
}

/** Tells of what stands behind a value on its line and belongs to nothing, and passes it. */
function passRest(stream: TokenStream, value: ExpressionNode): void {
  const isAfterComma = stream.at(Token.Comma);
  const ahead = isAfterComma ? 1 : 0;
  if (!isRest(stream, ahead) || (isAfterComma && startsItemAfterComma(stream, 1))) return;
  if (isAfterComma) stream.take();
  const details = stream.at(Token.Colon)
    ? { hint: 'an object stands in braces: { key: value }' }
    : hintOf(stream, value);
  stream.missing('unexpected-token', 'Expected the end of the value', details);
  stream.skipPast(() => stream.at(Token.CloseBrace) || startsItem(stream) || startsBrokenItem(stream));
  // The `{` of that `}` is what is missing.
  if (!stream.at(Token.CloseBrace) || stream.startsLine() || !lacksOpeningBrace(stream)) return;
  stream.take();
  stream.bracesTold = true;
}

function isRest(stream: TokenStream, ahead: number): boolean {
  return !(
    stream.at(Token.End, ahead) ||
    stream.at(Token.CloseBrace, ahead) ||
    (stream.at(Token.Comma, ahead) && ahead === 0) ||
    stream.startsLine(ahead) ||
    startsItem(stream, ahead)
  );
}

/** What a bare word that words follow probably is. */
function hintOf(stream: TokenStream, value: ExpressionNode): { readonly hint?: string } {
  if (value.kind !== 'variable') return {};
  if (value.name === 'if') return { hint: 'write test ? value : otherwise' };
  if (nearestName(value.name, ['when']) !== undefined) return { hint: 'did you mean "when"?' };
  const isWord = stream.at(Token.Name) || stream.at(Token.String) || stream.at(Token.Broken);
  return isWord ? { hint: `texts stand in quotes: "${value.name} …"` } : {};
}
