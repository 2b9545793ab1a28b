import type { AgentNode, AssignmentNode, ExpressionNode, ToolNode } from '../syntax-tree.js';
import type { FixedProperties } from './agent-properties.js';

/** An agent of the source, its values read. What was wrong is left out. */
export interface CheckedAgent {
  readonly node: AgentNode;
  readonly fixed: Partial<FixedProperties>;
  /** null: `null` in the source; undefined: not given. */
  readonly systemPrompt: string | ExpressionNode | null | undefined;
  readonly exitCondition: ExpressionNode | null | undefined;
  readonly tools: readonly CheckedTool[];
}

export interface CheckedTool {
  readonly node: ToolNode;
  /** Empty if there is neither a description nor a doc comment. */
  readonly description: string;
  /** Undefined: no `input` block. */
  readonly input: readonly AssignmentNode[] | undefined;
}
