import { describe, expect, it, vi } from 'vitest';
import type { LlmMessage } from '../../messages/llm-message.js';
import type { LlmRequest } from '../llm.provider.js';
import type { ToolDefinition } from '../tool-definition.js';
import { providerProfile, type ProviderProfile } from './provider-profile.js';
import { WireRequests } from './wire-request.js';

const messages: LlmMessage[] = [{ role: 'user', content: 'hi' }];
const schema = {
  type: 'object',
  properties: { q: { type: 'string' }, n: { type: 'integer', maximum: 9 } },
  required: ['q'],
};
const tool: ToolDefinition = { name: 'find', description: 'Finds.', parameters: schema };

function body(request: Partial<LlmRequest>, profile: Partial<ProviderProfile> = {}, stream = false) {
  const requests = new WireRequests(providerProfile('localhost', profile));
  return JSON.parse(requests.body({ model: 'm', messages, ...request }, stream).toString()) as Record<
    string,
    any
  >;
}

describe('WireRequests', () => {
  it('sends only what the request says', () => {
    expect(body({ tools: [], toolChoice: 'auto' })).toEqual({
      model: 'm',
      messages: [{ role: 'user', content: 'hi' }],
    });
    expect(body({ temperature: 0, maxTokens: 7, tools: [tool], toolChoice: { name: 'find' } })).toEqual({
      model: 'm',
      temperature: 0,
      max_tokens: 7,
      tools: [{ type: 'function', function: { name: 'find', description: 'Finds.', parameters: schema } }],
      tool_choice: { type: 'function', function: { name: 'find' } },
      messages: [{ role: 'user', content: 'hi' }],
    });
    expect(body({ maxTokens: 7 }, { maxTokensField: 'max_completion_tokens' }).max_completion_tokens).toBe(7);
  });

  it('asks for usage in a stream unless the server refuses that', () => {
    expect(body({}, {}, true)).toMatchObject({ stream: true, stream_options: { include_usage: true } });
    expect(body({}, { streamUsage: false }, true)).not.toHaveProperty('stream_options');
    expect(body({})).not.toHaveProperty('stream');
  });

  it('B100: gives a tool without parameters a closed object schema', () => {
    const closed = { type: 'object', properties: {}, additionalProperties: false };
    const tools = [{}, { type: 'object' }].map((parameters) => ({
      name: 'ping',
      description: '',
      parameters,
    }));
    const sent = body({ tools }).tools.map((entry: any) => entry.function);
    expect(sent).toEqual([
      { name: 'ping', parameters: closed },
      { name: 'ping', parameters: closed },
    ]);
  });

  it('B104: sends a schema with boolean nodes as it is', () => {
    const parameters = {
      type: 'object',
      properties: { a: true, b: { items: true } },
      additionalProperties: true,
    };
    const tools = [{ name: 'raw', description: 'x', parameters, strict: true }];
    expect(body({ tools }).tools[0].function).toEqual({ name: 'raw', description: 'x', parameters });
  });

  it('B96: sends a tool strict if asked to and possible', () => {
    const [wanted, byProfile, declined] = [
      body({ tools: [{ ...tool, strict: true }] }),
      body({ tools: [tool] }, { strictSchemas: true }),
      body({ tools: [{ ...tool, strict: false }] }, { strictSchemas: true }),
    ].map((sent) => sent.tools[0].function);
    expect(wanted).toMatchObject({
      strict: true,
      parameters: { required: ['q', 'n'], additionalProperties: false },
    });
    expect(byProfile).toEqual(wanted);
    expect(declined).toEqual({ name: 'find', description: 'Finds.', parameters: schema });
  });

  it('B98: leaves out the keywords that the server refuses', () => {
    const { parameters } = body({ tools: [tool] }, { unsupportedKeywords: ['maximum'] }).tools[0].function;
    expect(parameters.properties.n).toEqual({ type: 'integer', description: '(maximum: 9)' });
  });

  it('asks for the response format the way the server knows', () => {
    const responseFormat = { name: 'answer', schema, strict: true };
    expect(body({ responseFormat }).response_format).toMatchObject({
      type: 'json_schema',
      json_schema: { name: 'answer', strict: true, schema: { required: ['q', 'n'] } },
    });
    expect(body({ responseFormat: { name: 'answer', schema } }).response_format).toEqual({
      type: 'json_schema',
      json_schema: { name: 'answer', schema },
    });
    expect(body({ responseFormat }, { responseFormat: 'json_object' }).response_format).toEqual({
      type: 'json_object',
    });
    expect(body({ responseFormat }, { responseFormat: 'none' })).not.toHaveProperty('response_format');
  });

  it('B88: sends no assistant message without any content', () => {
    const history: LlmMessage[] = [
      { role: 'user', content: 'one' },
      { role: 'assistant', content: '' },
      { role: 'assistant', content: ' \n ' },
      { role: 'assistant', content: null },
      { role: 'user', content: 'two' },
    ];
    expect(body({ messages: history }).messages).toEqual([
      { role: 'user', content: 'one' },
      { role: 'user', content: 'two' },
    ]);
  });

  it('serialises the same tools and format once', () => {
    const requests = new WireRequests(providerProfile('localhost'));
    const request: LlmRequest = {
      model: 'm',
      messages,
      tools: [tool],
      responseFormat: { name: 'answer', schema },
    };
    const first = requests.body(request, false);
    const stringify = vi.spyOn(JSON, 'stringify');
    expect(requests.body({ ...request }, false)).toEqual(first);
    expect(stringify.mock.calls).toEqual([['m']]);
  });
});
