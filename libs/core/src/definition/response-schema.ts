import { TOOL_NAME } from '../messages/tool-name.js';
import type { InputSchema, InputValidation } from '../operators/input-schema.js';
import type { JsonSchema } from '../operators/json-schema.js';
import { toInputSchema, type SchemaLike } from '../operators/to-input-schema.js';
import type { AgentResponseFormat } from './agent-def.js';

/** A schema for the answer; a name may be given for the provider to see. */
export type ResponseSchema = SchemaLike | { readonly name: string; readonly schema: SchemaLike };

/** @throws InvalidSchemaException if the schema cannot be used. */
export function toResponseFormat(format: ResponseSchema, agentId: string): AgentResponseFormat {
  const named = isNamed(format) ? format : { name: 'answer', schema: format };
  const schema = toInputSchema(named.schema, `responseFormat of agent "${agentId}"`);
  return new ResponseForm(TOOL_NAME.test(named.name) ? named.name : 'answer', schema);
}

/** A class, so that two with the same schema are equal in a test: a function of their own would tell them apart. */
class ResponseForm implements AgentResponseFormat {
  readonly name: string;
  readonly jsonSchema: JsonSchema;
  readonly #schema: InputSchema;

  constructor(name: string, schema: InputSchema) {
    this.name = name;
    this.jsonSchema = schema.jsonSchema;
    this.#schema = schema;
    Object.freeze(this);
  }

  validate(value: unknown): InputValidation | Promise<InputValidation> {
    return this.#schema.validate(value);
  }
}

function isNamed(format: ResponseSchema): format is { readonly name: string; readonly schema: SchemaLike } {
  // From plain JavaScript it may be anything; what is no schema is refused where schemas are made ready.
  if (typeof format !== 'object' || format === null) return false;
  return 'schema' in format && 'name' in format && typeof format.name === 'string';
}
