import type { JsonSchema } from '../operators/json-schema.js';

/** The form the model's answer must have, as the provider is told it. */
export interface ResponseFormat {
  /** Matches `^[a-zA-Z0-9_-]{1,64}$`. */
  readonly name: string;
  readonly schema: JsonSchema;
  /** Ask the provider to hold the model to the schema. Default: the provider's. */
  readonly strict?: boolean;
}
