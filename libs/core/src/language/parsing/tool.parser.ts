import { parseAssignment } from './assignment.parser.js';
import { openBody, parseBody, type BodyStart } from './body.parser.js';
import { lacksOpeningBrace } from './brace-balance.js';
import type { ExpressionParser } from './expression.parser.js';
import { startsAssignment, startsInput } from './item-start.js';
import {
  parseInput,
  parseInputWithSign,
  parseLostInput,
  startsInputWithSign,
  startsLostInput,
} from './input.parser.js';
import { parseHeaderName } from './name.parser.js';
import { quoted } from './quoted.js';
import type { NameNode, ToolNode } from '../syntax-tree.js';
import type { TokenStream } from './token-stream.js';
import { Token } from '../lexing/token.js';
import { startsUnknownBlock, tellUnknownBlock } from './unknown-block.js';

const FORM = 'write tool name : Operator { … }';

/** Reads `tool name : Operator { … }`. */
export function parseTool(expressions: ExpressionParser): ToolNode {
  const { stream } = expressions;
  const start = stream.start();
  const doc = stream.doc();
  stream.beginStatement();
  stream.take();
  return parseHeader(expressions, start, doc);
}

/** Reads `name : Operator { … }`, whose keyword is missing. */
export function parseBareTool(expressions: ExpressionParser): ToolNode {
  const { stream } = expressions;
  stream.beginStatement();
  stream.problemHere('expected-tool', `Expected "tool" before ${quoted(stream.text())}.`, { hint: FORM });
  return parseHeader(expressions, stream.start(), stream.doc());
}

/** True at what stands in a tool, if the braces show that its header is missing. */
export function startsLostTool(stream: TokenStream): boolean {
  const isContent = startsInput(stream) || (stream.atWord('description') && startsAssignment(stream));
  return isContent && lacksOpeningBrace(stream);
}

/** Reads what stands in a tool whose header is missing. */
export function parseLostTool(expressions: ExpressionParser): ToolNode {
  const { stream } = expressions;
  const start = stream.start();
  const none = { text: '', span: { start, end: start } };
  stream.beginStatement();
  stream.problemHere('expected-tool', `Expected the tool that this ${quoted(stream.text())} belongs to.`, {
    hint: FORM,
  });
  stream.bracesTold = true;
  const body = parseToolBody(expressions, -1);
  return { kind: 'tool', name: none, operator: none, doc: null, body, span: stream.spanFrom(start) };
}

function parseHeader(expressions: ExpressionParser, start: number, doc: string | null): ToolNode {
  const { stream } = expressions;
  const name = parseHeaderName(stream, 'the tool');
  const operator = parseOperator(stream, name);
  const open = openBody(stream, 'tool');
  const body = open === undefined ? [] : parseToolBody(expressions, open);
  return { kind: 'tool', name, operator, doc, body, span: stream.spanFrom(start) };
}

function parseOperator(stream: TokenStream, tool: NameNode): NameNode {
  if (stream.at(Token.OpenBrace)) {
    const hint = `write tool ${tool.text} : Operator { … }`;
    stream.missing('expected-colon', 'Expected ":" and the operator that does the work', { hint });
    return { text: '', span: { start: stream.previousEnd(), end: stream.previousEnd() } };
  }
  if (!stream.accept(Token.Colon)) {
    stream.missing('expected-colon', 'Expected ":" between the tool and its operator', { hint: FORM });
    const isOtherSign = stream.at(Token.Equal) || stream.at(Token.Arrow);
    if (isOtherSign || stream.at(Token.Colon, 1)) stream.take();
    stream.accept(Token.Colon);
  }
  return parseHeaderName(stream, "the tool's operator", true);
}

function parseToolBody(expressions: ExpressionParser, open: BodyStart): ToolNode['body'] {
  const body: ToolNode['body'][number][] = [];
  parseBody(expressions.stream, 'tool', open, () => parseToolItem(expressions, body));
  return body;
}

function parseToolItem(expressions: ExpressionParser, body: ToolNode['body'][number][]): boolean {
  const { stream } = expressions;
  // `input q = …` has lost its `{`.
  const isInput = startsInput(stream) || (stream.atWord('input') && startsAssignment(stream, 1));
  if (isInput) body.push(parseInput(expressions));
  else if (startsInputWithSign(stream)) parseInputWithSign(expressions, body);
  else if (startsLostInput(stream)) body.push(parseLostInput(expressions));
  else if (!startsUnknownBlock(stream)) return parseAssignment(expressions, body);
  else if (tellUnknownBlock(stream, 'tool', ['input']) === 'input') body.push(parseInput(expressions));
  return true;
}
