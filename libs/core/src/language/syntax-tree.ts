/** A stretch of the source in UTF-16 code units, the end exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

interface Node {
  readonly span: Span;
}

/** A `.agent` file. */
export interface SourceFile extends Node {
  readonly agents: readonly AgentNode[];
}

/** A word of the source that names something. */
export interface NameNode extends Node {
  readonly text: string;
}

/** `agent name { … }` or `stream agent name { … }`. */
export interface AgentNode extends Node {
  readonly kind: 'agent';
  readonly name: NameNode;
  readonly streaming: boolean;
  /** Text of the doc comment before it, or null. */
  readonly doc: string | null;
  readonly body: readonly (AssignmentNode | ToolNode)[];
}

/** `key = value`. Which keys exist, and what they take, is for the checks. */
export interface AssignmentNode extends Node {
  readonly kind: 'assignment';
  readonly key: NameNode;
  readonly value: ExpressionNode;
}

/** `tool name : OperatorRef { … }`. */
export interface ToolNode extends Node {
  readonly kind: 'tool';
  readonly name: NameNode;
  readonly operator: NameNode;
  /** Text of the doc comment before it, or null. */
  readonly doc: string | null;
  readonly body: readonly (AssignmentNode | InputNode)[];
}

/** `input { key = value … }` of a tool. */
export interface InputNode extends Node {
  readonly kind: 'input';
  readonly assignments: readonly AssignmentNode[];
}

export type ExpressionNode =
  | LiteralNode
  | TemplateNode
  | ArrayNode
  | ObjectNode
  | VariableNode
  | MemberNode
  | IndexNode
  | CallNode
  | LambdaNode
  | UnaryNode
  | BinaryNode
  | ConditionalNode
  | WhenNode
  | BrokenNode;

/** A string without `${…}`, a number, a duration (its milliseconds), `true`, `false` or `null`. */
export interface LiteralNode extends Node {
  readonly kind: 'literal';
  readonly value: string | number | boolean | null;
  /** True for `25ms`, `3s`, `15m`, `72h`, `30d`. */
  readonly duration: boolean;
}

/** `"text ${expression} text"`: fixed texts, decoded, and expressions in their order. */
export interface TemplateNode extends Node {
  readonly kind: 'template';
  readonly parts: readonly (string | ExpressionNode)[];
}

export interface ArrayNode extends Node {
  readonly kind: 'array';
  readonly items: readonly ExpressionNode[];
}

export interface ObjectNode extends Node {
  readonly kind: 'object';
  readonly entries: readonly { readonly key: NameNode; readonly value: ExpressionNode }[];
}

/** A bare word: a variable, a lambda's parameter, or the function of a call. */
export interface VariableNode extends Node {
  readonly kind: 'variable';
  readonly name: string;
}

/** `object.name` and `object?.name`: the same, as a missing field is null. */
export interface MemberNode extends Node {
  readonly kind: 'member';
  readonly object: ExpressionNode;
  readonly property: NameNode;
  readonly optional: boolean;
}

/** `object[index]` and `object?[index]`: the same, as a missing index is null. */
export interface IndexNode extends Node {
  readonly kind: 'index';
  readonly object: ExpressionNode;
  readonly index: ExpressionNode;
  readonly optional: boolean;
}

/** `function(…)` or `value.method(…)`. */
export interface CallNode extends Node {
  readonly kind: 'call';
  readonly callee: ExpressionNode;
  readonly arguments: readonly ExpressionNode[];
}

/** `x -> expression`; legal as an argument of a call only. */
export interface LambdaNode extends Node {
  readonly kind: 'lambda';
  readonly parameter: NameNode;
  readonly body: ExpressionNode;
}

export interface UnaryNode extends Node {
  readonly kind: 'unary';
  readonly operator: '!' | '-';
  readonly operand: ExpressionNode;
}

export type BinaryOperator =
  '??' | '||' | '&&' | '==' | '!=' | '<' | '<=' | '>' | '>=' | '+' | '-' | '*' | '/' | '%';

export interface BinaryNode extends Node {
  readonly kind: 'binary';
  readonly operator: BinaryOperator;
  readonly left: ExpressionNode;
  readonly right: ExpressionNode;
}

/** `test ? then : otherwise`. */
export interface ConditionalNode extends Node {
  readonly kind: 'conditional';
  readonly test: ExpressionNode;
  readonly then: ExpressionNode;
  readonly otherwise: ExpressionNode;
}

/** `when subject { pattern -> value … otherwise -> value }`; without `otherwise`, what fits nothing is null. */
export interface WhenNode extends Node {
  readonly kind: 'when';
  readonly subject: ExpressionNode;
  readonly branches: readonly { readonly pattern: ExpressionNode; readonly value: ExpressionNode }[];
  readonly otherwise: ExpressionNode | null;
}

/** Stands where the parser found no expression and has said so; later stages pass over it in silence. */
export interface BrokenNode extends Node {
  readonly kind: 'broken';
}
