import type { TokenStream } from './token-stream.js';
import { isProperty } from '../property-names.js';
import { Token } from '../lexing/token.js';

/** Words a file's blocks begin with; only the first two are supported. */
export const ROOT_WORDS: readonly string[] = ['agent', 'stream', 'graph', 'session', 'state_machine'];

/** True at a token that begins something of a body or file: no expression goes on there. */
export function startsItem(stream: TokenStream, ahead = 0): boolean {
  if (!stream.at(Token.Name, ahead) && !stream.at(Token.String, ahead)) return false;
  return (
    startsAssignment(stream, ahead) ||
    startsTool(stream, ahead) ||
    startsInput(stream, ahead) ||
    startsAgent(stream, ahead)
  );
}

/** True at `key =` and `tool name :`. Any other word may be a field after a dot, whatever comes next. */
export function startsSurely(stream: TokenStream): boolean {
  const isTool = stream.atWord('tool') && startsHeaderName(stream, 1) && stream.at(Token.Colon, 2);
  return startsAssignment(stream) || isTool;
}

/** `key =` or `"key" =`. */
export function startsAssignment(stream: TokenStream, ahead = 0): boolean {
  const isKey = stream.at(Token.Name, ahead) || stream.at(Token.String, ahead);
  return isKey && stream.at(Token.Equal, ahead + 1);
}

/** True at a word on a new line that a value or `:` follows: very likely an assignment with a mistake of its own. */
export function startsBrokenItem(stream: TokenStream): boolean {
  if (!stream.at(Token.Name) || !stream.startsLine()) return false;
  return stream.at(Token.Colon, 1) || stream.at(Token.String, 1) || stream.at(Token.Number, 1);
}

/** True behind a comma where an assignment begins, if perhaps with another sign, or another key, than is right. */
export function startsItemAfterComma(stream: TokenStream, ahead: number): boolean {
  if (startsItem(stream, ahead)) return true;
  if (!stream.at(Token.Name, ahead)) return false;
  switch (stream.kind(ahead + 1)) {
    case Token.Colon:
    case Token.EqualEqual:
    case Token.Arrow:
    case Token.String:
    case Token.Number:
    case Token.OpenBrace:
    case Token.Minus:
      return true;
    default:
      return false;
  }
}

/**
 * True where an operand is needed and a word before `=` can be one: on the line of what it stands behind. So `=` is
 * meant to compare, or the key before it, on the next line, is missing. A property's own name begins its assignment.
 */
export function isOperandBeforeEqual(stream: TokenStream): boolean {
  if (!startsAssignment(stream) || stream.startsLine()) return false;
  return stream.startsLine(1) || !isProperty(stream.text());
}

/** `tool name`, or `tool : Operator {` with the name forgotten. */
export function startsTool(stream: TokenStream, ahead = 0): boolean {
  if (!stream.atWord('tool', ahead)) return false;
  if (stream.at(Token.Colon, ahead + 1)) {
    return stream.at(Token.Name, ahead + 2) && stream.at(Token.OpenBrace, ahead + 3);
  }
  if (!startsHeaderName(stream, ahead + 1)) return false;
  // In `x = a.tool` before `tool t : Op {`, the first of the two is no keyword.
  if (stream.atWord('tool', ahead + 1) && startsHeaderName(stream, ahead + 2)) return false;
  // `tool x = Op {` has a wrong sign; in `tool x = 1` the first word is a stray one.
  return !stream.at(Token.Equal, ahead + 2) || stream.at(Token.OpenBrace, ahead + 4);
}

/** `name : Operator {`: a tool without its keyword. */
export function startsBareTool(stream: TokenStream): boolean {
  if (!stream.at(Token.Name) || !stream.at(Token.Colon, 1) || !stream.at(Token.Name, 2)) return false;
  let ahead = 3;
  while (stream.at(Token.Dot, ahead) && stream.at(Token.Name, ahead + 1) && ahead < 9) ahead += 2;
  return stream.at(Token.OpenBrace, ahead);
}

/** `input {`. */
export function startsInput(stream: TokenStream, ahead = 0): boolean {
  return stream.atWord('input', ahead) && stream.at(Token.OpenBrace, ahead + 1);
}

/** `agent name {`, or `stream agent`. */
export function startsAgent(stream: TokenStream, ahead = 0): boolean {
  if (stream.atWord('stream', ahead)) return stream.atWord('agent', ahead + 1);
  if (!stream.atWord('agent', ahead) || !startsHeaderName(stream, ahead + 1)) return false;
  // A name may be of several tokens (`my-agent`).
  for (let at = ahead + 2; ; at++) {
    if (stream.at(Token.OpenBrace, at)) return true;
    if (!stream.at(Token.Name, at) && !stream.at(Token.Minus, at) && !stream.at(Token.Number, at))
      return false;
    if (stream.start(at) !== stream.span(at - 1).end) return false;
  }
}

/** True where a file goes on after an agent. */
export function startsRoot(stream: TokenStream, ahead = 0): boolean {
  if (startsAgent(stream, ahead)) return true;
  if (!ROOT_WORDS.includes(stream.text(ahead))) return false;
  const isNamed = stream.at(Token.Name, ahead + 1) && !startsAssignment(stream, ahead + 1);
  return isNamed || stream.at(Token.OpenBrace, ahead + 1);
}

/** True where a name of a header can begin. */
export function startsHeaderName(stream: TokenStream, ahead = 0): boolean {
  return stream.at(Token.Name, ahead) || stream.at(Token.Number, ahead) || stream.at(Token.String, ahead);
}

/** True where a value can begin. */
export function startsValue(stream: TokenStream, ahead = 0): boolean {
  switch (stream.kind(ahead)) {
    case Token.Name:
    case Token.Number:
    case Token.String:
    case Token.RawString:
    case Token.TemplateHead:
    case Token.Broken:
    case Token.OpenParen:
    case Token.OpenBracket:
    case Token.OpenBrace:
    case Token.Bang:
    case Token.Minus:
      return true;
    default:
      return false;
  }
}
