import { parseAssignment } from './assignment.parser.js';
import { openBody, parseBody } from './body.parser.js';
import type { ExpressionParser } from './expression.parser.js';
import { startsAssignment, startsInput } from './item-start.js';
import { parseHeaderName } from './name.parser.js';
import type { AssignmentNode, InputNode, NameNode, ToolNode } from '../syntax-tree.js';
import type { TokenStream } from './token-stream.js';
import { Token } from '../lexing/token.js';
import { startsUnknownBlock, tellUnknownBlock } from './unknown-block.js';

/** Reads `tool name : Operator { … }`. */
export function parseTool(expressions: ExpressionParser): ToolNode {
  const { stream } = expressions;
  const start = stream.start();
  const doc = stream.doc();
  stream.take();
  const name = parseHeaderName(stream, 'the tool');
  const operator = parseOperator(stream, name);
  const body: ToolNode['body'][number][] = [];
  const open = openBody(stream, 'tool');
  if (open !== undefined) parseBody(stream, 'tool', open, () => parseToolItem(expressions, body));
  return { kind: 'tool', name, operator, doc, body, span: stream.spanFrom(start) };
}

function parseOperator(stream: TokenStream, tool: NameNode): NameNode {
  if (stream.at(Token.OpenBrace)) {
    const hint = `write tool ${tool.text} : Operator { … }`;
    stream.missing('expected-colon', 'Expected ":" and the operator that does the work', { hint });
    return { text: '', span: { start: stream.previousEnd(), end: stream.previousEnd() } };
  }
  if (!stream.accept(Token.Colon)) {
    stream.missing('expected-colon', 'Expected ":" between the tool and its operator');
    if (stream.at(Token.Equal) || stream.at(Token.Arrow)) stream.take();
  }
  return parseHeaderName(stream, "the tool's operator", true);
}

function parseToolItem(expressions: ExpressionParser, body: ToolNode['body'][number][]): boolean {
  const { stream } = expressions;
  // `input q = …` has lost its `{`.
  const isInput = startsInput(stream) || (stream.atWord('input') && startsAssignment(stream, 1));
  if (!isInput && startsUnknownBlock(stream)) {
    if (tellUnknownBlock(stream, 'tool', ['input']) === 'input') body.push(parseInput(expressions));
    return true;
  }
  if (!isInput) return parseAssignment(expressions, body);
  body.push(parseInput(expressions));
  return true;
}

function parseInput(expressions: ExpressionParser): InputNode {
  const { stream } = expressions;
  const start = stream.start();
  stream.take();
  const assignments: AssignmentNode[] = [];
  const open = openBody(stream, 'input');
  if (open !== undefined) {
    parseBody(stream, 'input', open, () => parseAssignment(expressions, assignments));
  }
  return { kind: 'input', assignments, span: stream.spanFrom(start) };
}
