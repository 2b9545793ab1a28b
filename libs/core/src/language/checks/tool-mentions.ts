import { quoted } from '../parsing/quoted.js';
import type { ExpressionNode, NameNode } from '../syntax-tree.js';
import type { Problems } from './problems.js';
import { listed, suggestion } from './suggestion.js';

/** Names of an agent's tools; null if they cannot be known. */
export type KnownTools = readonly string[] | null;

/** Warns of `tool_call("x")`, `tool_results.x` and `tool_results["x"]` of a tool that the agent does not have. */
export function tellNeverTrue(node: ExpressionNode, tools: KnownTools, problems: Problems): void {
  const tool = mentionOf(node);
  if (!tool || tools === null || tools.includes(tool.text)) return;
  const effect = node.kind === 'call' ? 'this is never true' : 'this is always null';
  const rest = tools.length === 0 ? 'this agent has no tools' : `its tools are ${listed(tools)}`;
  problems.warning('unknown-tool', tool.span, `The agent has no tool ${quoted(tool.text)}: ${effect}.`, {
    hint: suggestion(problems.nearest(tool.text, tools), rest),
  });
}

function mentionOf(node: ExpressionNode): NameNode | undefined {
  switch (node.kind) {
    case 'call': {
      const isToolCall = node.callee.kind === 'variable' && node.callee.name === 'tool_call';
      return isToolCall ? textOf(node.arguments[0]) : undefined;
    }
    case 'member':
      return isResults(node.object) ? node.property : undefined;
    case 'index':
      return isResults(node.object) ? textOf(node.index) : undefined;
    default:
      return undefined;
  }
}

function isResults(node: ExpressionNode): boolean {
  return node.kind === 'variable' && node.name === 'tool_results';
}

function textOf(node: ExpressionNode | undefined): NameNode | undefined {
  return node?.kind === 'literal' && typeof node.value === 'string'
    ? { text: node.value, span: node.span }
    : undefined;
}
