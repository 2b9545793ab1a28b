import { repairHistory } from '../../messages/history-repair.js';
import { wellFormed } from '../../messages/well-formed.js';
import type { JsonSchema } from '../../operators/json-schema.js';
import type { LlmRequest, ToolChoice } from '../llm.provider.js';
import type { ResponseFormat } from '../response-format.js';
import type { ToolDefinition } from '../tool-definition.js';
import type { ProviderProfile } from './provider-profile.js';
import { withoutKeywords } from './schema-keywords.js';
import { toStrictSchema } from './strict-schema.js';
import { WireMessages } from './wire-message.js';

const NO_PARAMETERS: JsonSchema = { type: 'object', properties: {}, additionalProperties: false };

/** Builds request bodies. What stays the same between turns (messages, tools, formats) is serialised once. */
export class WireRequests {
  readonly #profile: ProviderProfile;
  readonly #messages: WireMessages;
  readonly #tools = new WeakMap<readonly ToolDefinition[], string>();
  readonly #formats = new WeakMap<ResponseFormat, string>();

  constructor(profile: ProviderProfile) {
    this.#profile = profile;
    this.#messages = new WireMessages(profile);
  }

  /** The body of a request as JSON, in bytes. */
  body(request: LlmRequest, stream: boolean): Buffer {
    const { model, tools, toolChoice, temperature, maxTokens, responseFormat } = request;
    let json = `{"model":${JSON.stringify(wellFormed(model))}`;
    if (stream) json += ',"stream":true';
    if (stream && this.#profile.streamUsage) json += ',"stream_options":{"include_usage":true}';
    if (tools && tools.length > 0) {
      json += `,"tools":${this.#toolsJson(tools)}`;
      if (toolChoice !== undefined) json += `,"tool_choice":${toolChoiceJson(toolChoice)}`;
    }
    if (temperature !== undefined) json += `,"temperature":${temperature}`;
    if (maxTokens !== undefined) json += `,"${this.#profile.maxTokensField}":${maxTokens}`;
    if (responseFormat) json += this.#formatJson(responseFormat);
    return this.#messages.body(`${json},"messages":`, repairHistory(request.messages), ']}');
  }

  #toolsJson(tools: readonly ToolDefinition[]): string {
    let json = this.#tools.get(tools);
    if (json === undefined) {
      json = JSON.stringify(tools.map((tool) => this.#wireTool(tool)));
      this.#tools.set(tools, json);
    }
    return json;
  }

  #wireTool({ name, description, parameters, strict }: ToolDefinition): object {
    return {
      type: 'function',
      function: {
        name,
        ...(description && { description: wellFormed(description) }),
        ...this.#wireSchema('parameters', objectSchema(parameters), strict),
      },
    };
  }

  #formatJson(format: ResponseFormat): string {
    if (this.#profile.responseFormat === 'none') return '';
    let json = this.#formats.get(format);
    if (json === undefined) {
      const { name, schema, strict } = format;
      json = JSON.stringify(
        this.#profile.responseFormat === 'json_object'
          ? { type: 'json_object' }
          : { type: 'json_schema', json_schema: { name, ...this.#wireSchema('schema', schema, strict) } },
      );
      this.#formats.set(format, json);
    }
    return `,"response_format":${json}`;
  }

  /** The schema under its field, with `strict: true` if strict mode is wanted and the schema can be said in it. */
  #wireSchema(field: string, schema: JsonSchema, wanted = this.#profile.strictSchemas): object {
    const strict = wanted ? toStrictSchema(schema) : undefined;
    const accepted = withoutKeywords(strict ?? schema, this.#profile.unsupportedKeywords);
    return { [field]: accepted, ...(strict && { strict: true }) };
  }
}

/** A tool's parameters as an object schema; without any, one that allows nothing. */
function objectSchema(parameters: JsonSchema | undefined): JsonSchema {
  if (!parameters || Object.keys(parameters).length === 0) return NO_PARAMETERS;
  if (parameters['type'] !== 'object') return { ...parameters, type: 'object' };
  return parameters['properties'] === undefined && parameters['additionalProperties'] === undefined
    ? { ...parameters, ...NO_PARAMETERS }
    : parameters;
}

function toolChoiceJson(choice: ToolChoice): string {
  return typeof choice === 'string'
    ? `"${choice}"`
    : JSON.stringify({ type: 'function', function: { name: choice.name } });
}
