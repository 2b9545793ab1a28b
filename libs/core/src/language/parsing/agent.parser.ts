import { parseAssignment } from './assignment.parser.js';
import { openBody, parseBody } from './body.parser.js';
import { ExpressionParser } from './expression.parser.js';
import { startsBareTool, startsTool } from './item-start.js';
import { parseHeaderName } from './name.parser.js';
import type { AgentNode, ToolNode } from '../syntax-tree.js';
import type { TokenStream } from './token-stream.js';
import { parseBareTool, parseLostTool, parseTool, startsLostTool } from './tool.parser.js';
import { startsUnknownBlock, tellUnknownBlock } from './unknown-block.js';

/** Reads `agent name { … }` or `stream agent name { … }`; the caller has seen its first word. */
export function parseAgent(stream: TokenStream): AgentNode {
  const start = stream.start();
  const doc = stream.doc();
  stream.beginStatement();
  const streaming = stream.atWord('stream');
  stream.take();
  if (streaming) {
    if (stream.atWord('agent')) stream.take();
    else stream.missing('expected-agent', 'Expected "agent" after "stream"');
  }
  stream.agentOpen = -1;
  stream.bracesTold = false;
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
  if (startsTool(stream)) return add(parseTool(expressions), body);
  if (startsBareTool(stream)) return add(parseBareTool(expressions), body);
  if (startsLostTool(stream)) return add(parseLostTool(expressions), body);
  if (!startsUnknownBlock(stream)) return parseAssignment(expressions, body);
  const isTool = tellUnknownBlock(stream, 'agent', ['tool']) === 'tool';
  return isTool ? add(parseTool(expressions), body) : true;
}

function add(tool: ToolNode, body: AgentNode['body'][number][]): true {
  body.push(tool);
  return true;
}
