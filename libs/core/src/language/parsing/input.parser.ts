import { nearestName } from '../../errors/did-you-mean.js';
import { parseAssignment } from './assignment.parser.js';
import { openBody, parseBody, type BodyStart } from './body.parser.js';
import { lacksOpeningBrace } from './brace-balance.js';
import type { ExpressionParser } from './expression.parser.js';
import { startsAssignment } from './item-start.js';
import { quoted } from './quoted.js';
import { TOOL_PROPERTY } from '../property-names.js';
import type { AssignmentNode, InputNode } from '../syntax-tree.js';
import type { TokenStream } from './token-stream.js';
import { Token } from '../lexing/token.js';

/** Reads `input { key = value … }`. */
export function parseInput(expressions: ExpressionParser): InputNode {
  const { stream } = expressions;
  const start = stream.start();
  stream.beginStatement();
  stream.take();
  const open = openBody(stream, 'input');
  return parseInputBody(expressions, start, open);
}

/** `input = { key =` and `input: {`. */
export function startsInputWithSign(stream: TokenStream): boolean {
  if (!stream.atWord('input') || !stream.at(Token.OpenBrace, 2)) return false;
  return stream.at(Token.Colon, 1) || (stream.at(Token.Equal, 1) && startsAssignment(stream, 3));
}

/** Reads `input = { … }`, with assignments in it or with the entries of an object. */
export function parseInputWithSign(
  expressions: ExpressionParser,
  into: { push(node: InputNode): unknown },
): void {
  const { stream } = expressions;
  const start = stream.start();
  stream.beginStatement();
  stream.problemHere('unknown-property', '"input" is no property of a tool.', {
    hint: 'write input { … }, without "="',
  });
  stream.take();
  stream.take();
  if (!stream.at(Token.Colon, 2)) into.push(parseInputBody(expressions, start, stream.take()));
  else expressions.value();
}

/** True at a field that stands in a tool itself, if the braces show that the header of its input is missing. */
export function startsLostInput(stream: TokenStream): boolean {
  if (!startsAssignment(stream) || !lacksOpeningBrace(stream)) return false;
  return nearestName(stream.text(), [TOOL_PROPERTY]) === undefined;
}

/** Reads the fields, and the `}` of their input. */
export function parseLostInput(expressions: ExpressionParser): InputNode {
  const { stream } = expressions;
  const start = stream.start();
  stream.beginStatement();
  stream.problemHere('expected-input', `Expected "input {" before the field ${quoted(stream.text())}.`);
  stream.bracesTold = true;
  return parseInputBody(expressions, start, -1);
}

function parseInputBody(
  expressions: ExpressionParser,
  start: number,
  open: BodyStart | undefined,
): InputNode {
  const { stream } = expressions;
  const assignments: AssignmentNode[] = [];
  if (open !== undefined) {
    parseBody(stream, 'input', open, () => parseAssignment(expressions, assignments, true));
  }
  return { kind: 'input', assignments, span: stream.spanFrom(start) };
}
