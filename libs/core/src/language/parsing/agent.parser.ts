import { parseAssignment } from './assignment.parser.js';
import { openBody, parseBody } from './body.parser.js';
import { ExpressionParser } from './expression.parser.js';
import { startsTool } from './item-start.js';
import { parseHeaderName } from './name.parser.js';
import type { AgentNode } from '../syntax-tree.js';
import type { TokenStream } from './token-stream.js';
import { parseTool } from './tool.parser.js';
import { startsUnknownBlock, tellUnknownBlock } from './unknown-block.js';

/** Reads `agent name { … }` or `stream agent name { … }`; the caller has seen its first word. */
export function parseAgent(stream: TokenStream): AgentNode {
  const start = stream.start();
  const doc = stream.doc();
  const streaming = stream.atWord('stream');
  stream.take();
  if (streaming) {
    if (stream.atWord('agent')) stream.take();
    else stream.missing('expected-agent', 'Expected "agent" after "stream"');
  }
  stream.agentOpen = -1;
  const name = parseHeaderName(stream, 'the agent');
  const body: AgentNode['body'][number][] = [];
  const open = openBody(stream, 'agent');
  stream.agentOpen = open ?? -1;
  const expressions = new ExpressionParser(stream, true);
  if (open !== undefined) parseBody(stream, 'agent', open, () => parseAgentItem(expressions, body));
  return { kind: 'agent', name, streaming, doc, body, span: stream.spanFrom(start) };
}

function parseAgentItem(expressions: ExpressionParser, body: AgentNode['body'][number][]): boolean {
  const { stream } = expressions;
  let isTool = startsTool(stream);
  if (!isTool && startsUnknownBlock(stream)) {
    isTool = tellUnknownBlock(stream, 'agent', ['tool']) === 'tool';
    if (!isTool) return true;
  }
  if (!isTool) return parseAssignment(expressions, body);
  body.push(parseTool(expressions));
  return true;
}
