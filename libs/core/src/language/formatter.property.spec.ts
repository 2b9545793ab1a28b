import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { examples, validSource } from '../../../../test/support/agent-sources.js';
import { withoutSpans } from '../../../../test/support/syntax-sketch.js';
import { formatSource } from './formatter.js';
import { parse } from './parser.js';

const numRuns = Number(process.env.PROPERTY_RUNS ?? 200);

/** Comments without their layout. */
function commentsOf(source: string): string[] {
  return parse(source).comments.map(({ span }) =>
    source.slice(span.start, span.end).replaceAll(/\s+/g, ' ').trim(),
  );
}

/** Formats, and checks that meaning and comments stay and that formatting again changes nothing. */
function formatted(source: string): string {
  expect(parse(source).diagnostics).toEqual([]);
  const result = formatSource(source);
  if (!('text' in result)) throw new Error('not formatted');
  const again = parse(result.text);
  expect(again.diagnostics).toEqual([]);
  expect(withoutSpans(again.file)).toEqual(withoutSpans(parse(source).file));
  expect(commentsOf(result.text)).toEqual(commentsOf(source));
  expect(formatSource(result.text)).toEqual(result);
  return result.text;
}

it.each([...examples])('keeps meaning and comments of %s', (_, source) => {
  const text = formatted(source);
  expect(text).toMatch(/[^\n]\n$/);
  expect(text).not.toMatch(/\r|\uFEFF/);
});

it('keeps meaning and comments of any valid source', () => {
  fc.assert(
    fc.property(validSource, (source) => {
      expect(formatted(source)).not.toMatch(/[\r\uFEFF]/);
    }),
    { numRuns: numRuns * 2 },
  );
});
