import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { thrownMessage, toolErrorText } from './tool-error.js';

const numRuns = Number(process.env['PROPERTY_RUNS'] ?? 200);

describe('toolErrorText', () => {
  it('is an error object with a code and a message', () => {
    expect(toolErrorText('unknown_tool', 'No tool "x".')).toBe(
      '{"error":{"code":"unknown_tool","message":"No tool \\"x\\"."}}',
    );
  });

  it('is well-formed', () => {
    expect(JSON.parse(toolErrorText('failed', 'a\ud83d\0'))).toEqual({
      error: { code: 'failed', message: 'a\ufffd' },
    });
  });
});

describe('thrownMessage', () => {
  it("gives an error's message", () => {
    expect(thrownMessage(new TypeError(' no such city '))).toBe('no such city');
    expect(thrownMessage({ message: 'from another realm' })).toBe('from another realm');
  });

  it('B57: has some text for whatever was thrown', async () => {
    const rejectedWithNothing = await Promise.reject(undefined).catch((reason: unknown) => reason);
    expect(thrownMessage(new Error())).toBe('Error');
    expect(thrownMessage(new RangeError(''))).toBe('RangeError');
    expect(thrownMessage(null)).toContain('null');
    expect(thrownMessage(undefined)).toContain('undefined');
    expect(thrownMessage(rejectedWithNothing)).toContain('undefined');
    expect(thrownMessage('just text')).toBe('just text');
    expect(thrownMessage('')).toBe('An empty text was thrown.');
    expect(thrownMessage({ status: 409 })).toContain('{"status":409}');
    expect(thrownMessage(Symbol('s'))).toContain('Symbol(s)');
  });

  it('B57: has some text for values that throw when they are read', () => {
    const getter = {
      get message(): string {
        throw new Error('inner');
      },
    };
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    const revoked = Proxy.revocable({}, {});
    revoked.revoke();
    for (const thrown of [getter, circular, revoked.proxy]) {
      expect(thrownMessage(thrown)).toBe('Something was thrown that cannot be read.');
    }
  });

  it('speaks with the messages within an error that has none', () => {
    const refused = new AggregateError([new Error('refused by ::1'), new Error('refused by 127.0.0.1')]);
    expect(thrownMessage(refused)).toBe('refused by ::1; refused by 127.0.0.1');
    refused.errors.splice(0, 2, refused);
    expect(thrownMessage(refused)).toBe('AggregateError');
  });

  it('never shows a stack', () => {
    const error = new Error('inner');
    expect(thrownMessage(new Error(error.stack))).toBe('Error: inner');
    expect(thrownMessage(error.stack)).toBe('Error: inner');
    expect(thrownMessage(error)).toBe('inner');
  });

  it('keeps 2,000 characters', () => {
    const text = thrownMessage(new Error('🔥'.repeat(5_000)));
    expect(text.length).toBeLessThanOrEqual(2_000);
    expect(text.isWellFormed()).toBe(true);
  });

  it('is text for anything', () => {
    fc.assert(
      fc.property(fc.anything({ withBoxedValues: true, withNullPrototype: true }), (thrown) => {
        expect(thrownMessage(thrown)).not.toBe('');
      }),
      { numRuns },
    );
  });
});
