import { InputMapping } from '../graph/input-mapping.js';
import type { CheckedAgent, CheckedTool } from '../language/checks/checked-file.js';
import { EXIT_CONDITION, SYSTEM_PROMPT } from '../language/expression-place.js';
import { Expression } from '../language/expression.js';
import type { ExpressionNode } from '../language/syntax-tree.js';
import { AGENT_DEFAULTS } from './agent-def.defaults.js';
import type { AgentDef, SystemPrompt } from './agent-def.js';
import { AgentBuilder } from './agent.builder.js';

/** The definition of an agent in whose source the checks have found no error. */
export function compiledAgent(agent: CheckedAgent): AgentDef {
  const { node, fixed, exitCondition } = agent;
  const {
    max_turns = AGENT_DEFAULTS.maxTurns,
    max_tool_concurrency = null,
    temperature = null,
    memory = AGENT_DEFAULTS.memoryStrategy,
    streaming = node.streaming,
    streaming_buffer_capacity = AGENT_DEFAULTS.streamingBufferCapacity,
    tool_timeout = AGENT_DEFAULTS.toolTimeout,
    max_tokens = null,
    max_total_tokens = null,
    deadline = null,
    on_max_turns = AGENT_DEFAULTS.onMaxTurns,
    repeated_call_limit = AGENT_DEFAULTS.repeatedCallLimit,
    tool_result_limit = AGENT_DEFAULTS.toolResultLimit,
    response_format = null,
  } = fixed;
  const builder = AgentBuilder.create(node.name.text)
    .model(fixed.model ?? '')
    .systemPrompt(systemPrompt(agent))
    .maxTurns(max_turns)
    .maxToolConcurrency(max_tool_concurrency)
    .temperature(temperature)
    .memory(memory)
    .exitCondition(exitCondition ? new Expression(exitCondition, EXIT_CONDITION) : null)
    .streaming(streaming)
    .streamingBufferCapacity(streaming_buffer_capacity)
    .toolTimeout(tool_timeout)
    .maxTokens(max_tokens)
    .maxTotalTokens(max_total_tokens)
    .deadline(deadline)
    .onMaxTurns(on_max_turns)
    .repeatedCallLimit(repeated_call_limit)
    .toolResultLimit(tool_result_limit)
    .responseFormat(response_format);
  if (fixed.tools) builder.tools(fixed.tools);
  for (const tool of agent.tools) addTool(builder, tool);
  return builder.build();
}

function systemPrompt({ systemPrompt: given = null }: CheckedAgent): SystemPrompt | null {
  if (given === null || typeof given === 'string') return given;
  return new Expression(asText(given), SYSTEM_PROMPT);
}

/** The expression in a template, which makes a text of what it gives. */
function asText(node: ExpressionNode): ExpressionNode {
  return node.kind === 'template' ? node : { kind: 'template', parts: [node], span: node.span };
}

function addTool(builder: AgentBuilder, { node, description, input }: CheckedTool): void {
  const assignments = input?.map(({ key, value }) => ({ field: key.text, node: value }));
  builder.tool(node.name.text, {
    operator: node.operator.text,
    description,
    ...(assignments && { input: new InputMapping(assignments) }),
  });
}
