import type { JsonSchema } from '../operators/json-schema.js';

/** What the model is told about a tool. */
export interface ToolDefinition {
  /** Matches `^[a-zA-Z0-9_-]{1,64}$`. */
  readonly name: string;
  readonly description: string;
  /** A JSON Schema of `type: object`. */
  readonly parameters: JsonSchema;
  /** Ask the provider to hold the model to the schema. Default: the provider's. */
  readonly strict?: boolean;
}
