import { assert, constantFrom, property, string } from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { LlmMessage } from '../../messages/llm-message.js';
import { WireMessages } from './wire-message.js';

const wire = (
  messages: readonly LlmMessage[],
  options: { reasoningContent?: boolean; mergeSystem?: boolean } = {},
) =>
  JSON.parse(
    new WireMessages({ reasoningContent: false, mergeSystem: true, ...options })
      .body('', messages, ']')
      .toString(),
  ) as Record<string, unknown>[];

const call = { id: 'c1', name: 'ping', arguments: '{"n":1}' };

describe('WireMessages', () => {
  it('B92: has null content only beside tool calls', () => {
    const [calls, empty, both] = wire([
      { role: 'assistant', content: '', toolCalls: [call] },
      { role: 'assistant', content: null, toolCalls: [] },
      { role: 'assistant', content: 'let me see', toolCalls: [call] },
    ]);
    expect(calls).toEqual({
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'ping', arguments: '{"n":1}' } }],
    });
    expect(empty).toEqual({ role: 'assistant', content: '' });
    expect(both).toMatchObject({ content: 'let me see', tool_calls: [{ id: 'c1' }] });
  });

  it('B94: joins the leading system messages with a blank line', () => {
    const messages: LlmMessage[] = [
      { role: 'system', content: 'Be kind.' },
      { role: 'system', content: '' },
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'hi' },
      { role: 'system', content: 'later' },
    ];
    expect(wire(messages)).toEqual([
      { role: 'system', content: 'Be kind.\n\nBe brief.' },
      { role: 'user', content: 'hi' },
      { role: 'system', content: 'later' },
    ]);
    expect(wire(messages, { mergeSystem: false })).toHaveLength(5);
  });

  it('B94: joins anew when one of them is another', () => {
    const messages = new WireMessages({ reasoningContent: false, mergeSystem: true });
    const [first, second, third]: [LlmMessage, LlmMessage, LlmMessage] = [
      { role: 'system', content: 'a' },
      { role: 'system', content: 'b' },
      { role: 'system', content: 'c' },
    ];
    expect(messages.body('', [first, second], ']').toString()).toContain('a\\n\\nb');
    expect(messages.body('', [first, third], ']').toString()).toContain('a\\n\\nc');
    expect(messages.body('', [first], ']').toString()).toBe('[{"role":"system","content":"a"}]');
  });

  it('serialises a message once, however often it is sent', () => {
    const messages = new WireMessages({ reasoningContent: false, mergeSystem: true });
    const conversation: LlmMessage[] = [
      { role: 'system', content: 'a' },
      { role: 'system', content: 'b' },
      { role: 'user', content: 'hi' },
    ];
    messages.body('', conversation, ']').toString();
    const stringify = vi.spyOn(JSON, 'stringify');
    messages.body('', conversation, ']').toString();
    expect(stringify).not.toHaveBeenCalled();
    messages.body('', [...conversation, { role: 'assistant', content: 'hello' }], ']').toString();
    expect(stringify).toHaveBeenCalledOnce();
  });

  it('writes tool results and content parts as the API has them', () => {
    expect(
      wire([
        { role: 'tool', content: 'ok', toolCallId: 'c1' },
        {
          role: 'user',
          content: 'ignored beside parts',
          parts: [
            { type: 'text', text: 'What is this?' },
            { type: 'image', url: 'https://example.com/a.png', detail: 'low' },
            { type: 'image', url: 'data:image/png;base64,AA' },
          ],
        },
      ]),
    ).toEqual([
      { role: 'tool', tool_call_id: 'c1', content: 'ok' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'image_url', image_url: { url: 'https://example.com/a.png', detail: 'low' } },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } },
        ],
      },
    ]);
  });

  it('sends reasoning back only where it is wanted', () => {
    const messages: LlmMessage[] = [{ role: 'assistant', content: 'yes', reasoning: 'hm' }];
    expect(wire(messages)).toEqual([{ role: 'assistant', content: 'yes' }]);
    expect(wire(messages, { reasoningContent: true })).toEqual([
      { role: 'assistant', content: 'yes', reasoning_content: 'hm' },
    ]);
  });

  it('property: every string that leaves is well-formed', () => {
    const text = string({ unit: 'binary' }).chain((s) => constantFrom(s, `${s}\ud83d`, `\ude00${s}`));
    assert(
      property(text, text, (content, args) => {
        const [user, assistant] = wire([
          { role: 'user', content },
          { role: 'assistant', content, toolCalls: [{ id: 'c', name: 'n', arguments: args }] },
        ]);
        const strings = [user?.content, assistant?.content ?? '', JSON.stringify(assistant?.tool_calls)];
        for (const value of strings) {
          expect(encodeURIComponent(String(value))).toBeTypeOf('string');
          expect(String(value)).not.toMatch(/\\ud[89a-f]/i);
        }
      }),
      { numRuns: Number(process.env.PROPERTY_RUNS ?? 200) },
    );
  });
});
