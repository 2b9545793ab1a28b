/** Every property of an agent, in the order in which hints list them. */
export const AGENT_PROPERTIES = [
  'model',
  'max_turns',
  'max_tool_concurrency',
  'temperature',
  'memory',
  'streaming',
  'streaming_buffer_capacity',
  'tool_timeout',
  'max_tokens',
  'max_total_tokens',
  'deadline',
  'on_max_turns',
  'repeated_call_limit',
  'tool_result_limit',
  'response_format',
  'tools',
  'system_prompt',
  'exit_condition',
] as const;

const AGENT_NAMES: ReadonlySet<string> = new Set(AGENT_PROPERTIES);

export function isAgentProperty(name: string): boolean {
  return AGENT_NAMES.has(name);
}

/** The one property of a tool. */
export const TOOL_PROPERTY = 'description';

/** True for every name that is a property somewhere. */
export function isProperty(name: string): boolean {
  return name === TOOL_PROPERTY || isAgentProperty(name);
}
