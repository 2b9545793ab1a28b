/** Where an expression stands, and what it may name there. */
export interface ExpressionPlace {
  /** As the author knows it, such as `exit_condition`. */
  readonly name: string;
  readonly variables: readonly string[];
  readonly functions: readonly string[];
}

export const EXIT_CONDITION: ExpressionPlace = Object.freeze({
  name: 'exit_condition',
  variables: Object.freeze(['finish_reason', 'content', 'turn', 'tool_calls', 'tool_results', 'messages']),
  functions: Object.freeze(['tool_call']),
});

export const TOOL_INPUT: ExpressionPlace = Object.freeze({
  name: 'input',
  variables: Object.freeze(['tool_args', 'ctx']),
  functions: Object.freeze([]),
});

export const SYSTEM_PROMPT: ExpressionPlace = Object.freeze({
  name: 'system_prompt',
  variables: Object.freeze(['ctx']),
  functions: Object.freeze([]),
});
