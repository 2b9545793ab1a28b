import { SILENT_LOGGER } from '@nestor/core';
import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { plantedSecrets } from '../../../../test/support/planted-secrets.js';
import { Redactor, type RedactionOptions } from './redaction.js';
import { REDACTED } from './secret-patterns.js';

const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 200);

function redact(payload: Record<string, unknown>, options: RedactionOptions = {}): Record<string, any> {
  return JSON.parse(new Redactor(options, SILENT_LOGGER).redact(payload, 'AGENT_TOOL_DISPATCHED'));
}
const text = (value: string, options?: RedactionOptions): string => redact({ text: value }, options)['text'];

describe('Redactor', () => {
  it.each(plantedSecrets(200))('finds $secret in $text', ({ secret, text: planted }) => {
    for (const kept of [text(planted), JSON.stringify(redact({ a: { b: [planted] } }))]) {
      expect(kept).not.toContain(secret);
      expect(kept).toContain(REDACTED);
    }
  });

  it.each([
    'The task-management of risk-averse customers uses basic understanding of bearer authentication.',
    'Order 1234567 of 2026-11-30T10:00:00.000Z, id 3f2b8c1e-9d4a-4b7c-8e21-5a6f7b8c9d0e, call_9f8e7d6c5b4a',
    'https://example.com/a?page=2 and mailto:ann@example.com, git@github.com:a/b.git',
    '1796072670363 ms, 4111111111111112 is no card number, nor is 12345678901234567890',
    '{"query":"invoices","limit":10,"maxTokens":100,"big":9007199254740993,"spin":"x"}',
    '{ "spelling" : "kept",  "as": [1.0, 1e3] }',
  ])('leaves alone what is no secret: %s', (plain) => {
    expect(text(plain)).toBe(plain);
  });

  it('keeps the fields of the payloads', () => {
    const payload = {
      turnNumber: 1,
      promptTokens: 4111111111,
      totalLlmTokens: 5,
      toolCallId: 'call_1',
      success: true,
    };
    expect(redact(payload)).toEqual(payload);
  });

  it('keeps JSON readable around what it takes out', () => {
    expect(JSON.parse(text('{"user":"ann","password":"x","list":[{"token":1}]}'))).toEqual({
      user: 'ann',
      password: REDACTED,
      list: [{ token: REDACTED }],
    });
    expect(redact({ apiKey: ['a', 'b'], secret: null, tokens: 12, big: 5n })).toEqual({
      apiKey: REDACTED,
      secret: null,
      tokens: 12,
      big: '5',
    });
  });

  it('finds a secret that a later field of the same name hides from a parser', () => {
    expect(text('{"password":"first","password":"second"}')).not.toMatch(/first|second/);
    expect(text('{"note":"sk-abcdefgh12345678","note":"fine"}')).not.toContain('abcdefgh');
    expect(text('{"note":"\\u0073k-abcdefgh12345678"}')).not.toContain('abcdefgh');
  });

  it('finds a secret that was cut before it came here', () => {
    expect(text('token eyJhbGciOiJIUzI1NiIsInR5')).toBe(`token ${REDACTED}`);
    expect(text('-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkq')).toBe(REDACTED);
    expect(text('{"password":"hunt')).toBe(`{"password":"${REDACTED}"`);
  });

  it('looks for secrets first and cuts then', () => {
    const secret = 'sk-abcdefgh12345678abcdefgh12345678';
    for (let before = 60; before < 70; before++) {
      const cut = text('x '.repeat(before / 2) + secret + ' y'.repeat(200), { maxTextLength: 100 });
      expect(cut).not.toMatch(/sk-abc/);
      expect(cut).toMatch(/\[cut\]/);
      expect(cut.length).toBeLessThan(140);
    }
  });

  it('cuts to head and tail, and never leaves half a character', () => {
    expect(text('a'.repeat(50) + 'b'.repeat(50), { maxTextLength: 9 })).toBe('aaaaaa\n… [cut] …\nbbb');
    expect(text('🐢'.repeat(100), { maxTextLength: 9 }).isWellFormed()).toBe(true);
  });

  it('takes names, patterns and a hook of the user', () => {
    const hook = vi.fn((payload: Readonly<Record<string, unknown>>) => ({ ...payload, seen: true }));
    const options: RedactionOptions = { names: ['I-BAN'], patterns: [/PL\d+/], hook };
    expect(redact({ iban: 'DE12', text: 'to PL61109010140000071219812874 soon' }, options)).toEqual({
      iban: REDACTED,
      text: `to ${REDACTED} soon`,
      seen: true,
    });
    expect(hook).toHaveBeenCalledWith(expect.objectContaining({ iban: REDACTED }), 'AGENT_TOOL_DISPATCHED');
  });

  it.each([
    () => {
      throw new Error('oh');
    },
    () => ({ big: 1n }),
    () => {
      const circle: Record<string, unknown> = {};
      return Object.assign(circle, { circle });
    },
  ])('keeps nothing of a payload whose hook fails, and says so once: %s', (hook) => {
    const warn = vi.fn();
    const redactor = new Redactor({ hook }, { ...SILENT_LOGGER, warn });
    for (let i = 0; i < 2; i++) {
      expect(redactor.redact({ a: 'private' }, 'AGENT_LLM_CALLED')).toBe('{"redaction":"failed"}');
    }
    expect(warn).toHaveBeenCalledTimes(1);
  });

  it('stands what a model may send: depth, size and shapes that make patterns slow', () => {
    const hostile = [
      '['.repeat(100_000),
      `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
      'a://'.repeat(50_000),
      'password'.repeat(50_000),
      'bearer '.repeat(50_000),
      `eyJ${'a.'.repeat(100_000)}`,
      '4 '.repeat(100_000),
      '-----BEGIN A-----'.repeat(20_000),
      '"password":"\\'.repeat(20_000),
      `sk-${'a'.repeat(1_000_000)}`,
    ];
    const started = performance.now();
    for (const sent of hostile) expect(text(sent).length).toBeLessThan(4_100);
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  it('never throws and always gives JSON', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.string({ unit: 'binary' }),
        (payload, sent) => {
          expect(() =>
            JSON.stringify(redact({ ...payload, sent, nested: JSON.stringify(payload) })),
          ).not.toThrow();
        },
      ),
      { numRuns: RUNS },
    );
  });
});
