import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { examples, validSource } from '../../../../test/support/agent-sources.js';
import { operators } from '../../../../test/support/dsl-problems.js';
import { AgentDslException } from '../errors/agent-dsl.exception.js';
import { AgentDslCompiler } from './agent-dsl.compiler.js';

const numRuns = Number(process.env.PROPERTY_RUNS ?? 200);
const compiler = new AgentDslCompiler(operators);

/** The definitions; nothing if the source is refused, as it should be. */
function compiled(source: string): unknown {
  try {
    return compiler.compileAll(source);
  } catch (error) {
    if (error instanceof AgentDslException) return undefined;
    throw error;
  }
}

/** Checks what holds for every text, and gives the number of its diagnostics. */
function check(source: string): number {
  const { definitions, diagnostics } = compiler.check(source);
  const hasErrors = diagnostics.some(({ severity }) => severity === 'error');
  expect(definitions === undefined).toBe(hasErrors);
  for (const { span, message } of diagnostics) {
    expect(span.start).toBeLessThanOrEqual(span.end);
    expect(span.end).toBeLessThanOrEqual(source.length);
    expect(message).not.toMatch(/undefined|\[object/);
  }
  expect(compiled(source)).toEqual(definitions);
  return diagnostics.length;
}

/** Words and signs of a source, as one puts them in or takes them out by mistake. */
const WORDS = [
  ...new Set([...examples.values()].flatMap((source) => source.match(/[\w$]+|"[^"\n]*"|\S/g) ?? [])),
];

interface Change {
  readonly at: number;
  readonly length: number;
  readonly text: string;
}

const change: fc.Arbitrary<Change> = fc.record({
  at: fc.nat({ max: 1_000_000 }),
  length: fc.nat({ max: 12 }),
  text: fc.oneof(fc.constant(''), fc.constantFrom(...WORDS), fc.string({ maxLength: 3 })),
});

const changed = fc
  .tuple(fc.constantFrom(...examples.values()), fc.array(change, { minLength: 1, maxLength: 4 }))
  .map(([source, changes]) =>
    changes.reduce((text, { at, length, text: put }) => {
      const start = at % (text.length + 1);
      return text.slice(0, start) + put + text.slice(start + length);
    }, source),
  );

/** Example files with a word for another word: most of them are still right in their syntax. */
const swapped = fc
  .tuple(
    fc.constantFrom(...examples.values()),
    fc.array(fc.tuple(fc.nat(), fc.constantFrom(...WORDS)), { maxLength: 3 }),
  )
  .map(([source, swaps]) => {
    const words = source.split(/\b/);
    for (const [at, word] of swaps) words[at % words.length] = word;
    return words.join('');
  });

describe('any source', () => {
  it.each<[string, fc.Arbitrary<string>]>([
    ['an example that was changed', changed],
    ['an example with other words', swapped],
    ['what the grammar allows', validSource],
  ])('is compiled, or refused with diagnostics: %s', (_, source) => {
    fc.assert(
      fc.property(source, (text) => {
        expect(check(text)).toBeLessThanOrEqual(101);
      }),
      { numRuns },
    );
  });

  it.each([
    [
      'a hundred thousand terms',
      `exit_condition = ${Array.from({ length: 100_000 }, () => 'turn').join('+')}`,
    ],
    ['twenty thousand parentheses', `exit_condition = ${'('.repeat(20_000)}turn${')'.repeat(20_000)}`],
    ['twenty thousand signs', `exit_condition = ${'!'.repeat(20_000)}turn`],
    ['twenty thousand conditionals', `exit_condition = ${'turn ? 1 : '.repeat(20_000)}2`],
    ['twenty thousand fields', `exit_condition = content${'.a'.repeat(20_000)}`],
    ['a hundred thousand items', `response_format = { type: "object", enum: [${'1,'.repeat(100_000)}] }`],
    ['sixty thousand properties', 'x = 1 '.repeat(60_000)],
    ['twenty thousand tools', 'tool t : Escalate { } '.repeat(20_000)],
    ['twenty thousand agents', '} agent b { '.repeat(20_000)],
  ])('may be large: %s', (_, body) => {
    expect(check(`agent a { model = "m" ${body} }`)).toBeLessThanOrEqual(101);
  });

  it('may be five megabytes of garbage', () => {
    expect(check(Array.from({ length: 500_000 }, (_, index) => `a${index} = {`).join('\n'))).toBeGreaterThan(
      0,
    );
    expect(check('\u0000{"a": [1, 2], \'x\' agent tool '.repeat(160_000))).toBeGreaterThan(0);
  });
});
