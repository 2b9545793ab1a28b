import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  argumentsEvent,
  assemble,
  bytesOf,
  cutAt,
  deltaEvent,
  DONE,
  finishEvent,
  sseEvent,
  textEvent,
  toolEvent,
} from '../../../../../test/support/sse-stream.js';

const numRuns = Number(process.env.PROPERTY_RUNS ?? 200);

describe('any message', () => {
  const text = fc.string({ unit: 'binary', maxLength: 20 }).map((value) => value.replaceAll('\0', ''));
  const call = fc.record({ name: fc.constantFrom('f', 'g', 'h'), arguments: fc.json({ maxDepth: 2 }) });
  const message = fc.record({ reasoning: text, content: text, calls: fc.array(call, { maxLength: 3 }) });

  /** The text cut at places inside it. */
  const pieces = (whole: string, cuts: readonly number[]): string[] => {
    const places = [0, ...cuts.map((cut) => cut % (whole.length + 1)), whole.length].sort((a, b) => a - b);
    return places.slice(1).map((to, n) => whole.slice(places[n], to));
  };

  it('is the same, however its deltas and its bytes are cut', () => {
    fc.assert(
      fc.property(
        message,
        fc.array(fc.nat(), { maxLength: 4 }),
        fc.array(fc.nat(3000)),
        (sent, cuts, places) => {
          const calls = sent.calls.map(({ name, arguments: args }, n) => ({
            id: `call-${n}`,
            name,
            arguments: JSON.stringify({ value: args }),
          }));
          const stream = [
            ...pieces(sent.reasoning, cuts).map((reasoning) => deltaEvent({ reasoning })),
            ...pieces(sent.content, cuts).map(textEvent),
            ...calls.map((one, n) => toolEvent(n, one.id, one.name, '')),
            ...cuts
              .map((_, at) => at)
              .concat(cuts.length)
              .flatMap((at) => calls.map((one, n) => argumentsEvent(n, pieces(one.arguments, cuts)[at]!))),
            finishEvent('stop') + DONE,
          ].join('');
          const result = assemble(cutAt(bytesOf(stream), places));
          expect(result.response.message).toEqual({
            role: 'assistant',
            content: sent.content === '' && calls.length > 0 ? null : sent.content,
            ...(calls.length > 0 && { toolCalls: calls }),
            ...(sent.reasoning !== '' && { reasoning: sent.reasoning }),
          });
          expect(result.tokens.join('')).toBe(sent.content);
          expect(result.tokens.every((token) => Buffer.from(token).toString() === token)).toBe(true);
        },
      ),
      { numRuns },
    );
  });
});

it('any JSON in place of the fields is passed over without a crash', () => {
  const value = fc.jsonValue({ maxDepth: 3 });
  const entry = fc.oneof(
    value,
    fc.record(
      { index: value, id: value, function: fc.oneof(value, fc.record({ name: value, arguments: value })) },
      { requiredKeys: [] },
    ),
  );
  const delta = fc.record(
    {
      content: value,
      refusal: value,
      reasoning: value,
      reasoning_content: value,
      function_call: value,
      tool_calls: fc.oneof(value, fc.array(entry)),
    },
    { requiredKeys: [] },
  );
  const choice = fc.oneof(
    value,
    fc.record({
      index: value,
      delta: fc.oneof(value, delta),
      message: value,
      finish_reason: value,
      usage: value,
    }),
  );
  const chunk = fc.record({ choices: fc.oneof(value, fc.array(choice, { maxLength: 3 })), usage: value });
  fc.assert(
    fc.property(fc.array(chunk, { maxLength: 4 }), (chunks) => {
      const { response } = assemble([bytesOf(chunks.map(sseEvent).join('') + finishEvent('stop') + DONE)]);
      expect(typeof response.finishReason).toBe('string');
      for (const { id, name, arguments: args } of response.message.toolCalls ?? []) {
        expect([typeof id, typeof name, typeof args]).toEqual(['string', 'string', 'string']);
        expect(id).not.toBe('');
        expect(name).not.toBe('');
      }
    }),
    { numRuns },
  );
});
