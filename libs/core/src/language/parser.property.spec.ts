import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { examples, validSource } from '../../../../test/support/agent-sources.js';
import { diagnosticToJson } from './diagnostic-json.js';
import { formatSource } from './formatter.js';
import { tokenize } from './lexer.js';
import { LineMap } from './line-map.js';
import { parse, parseExpression, parseFile } from './parser.js';
import { TokenStream } from './parsing/token-stream.js';
import { renderDiagnostic } from './render-diagnostic.js';
import type { Span } from './syntax-tree.js';

const numRuns = Number(process.env.PROPERTY_RUNS ?? 200);
/** Looks at tokens that reading may take per character. */
const STEPS = 100;

/** Every span of a value, wherever it stands in it. */
function spansOf(value: unknown): Span[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => (key === 'span' ? [inner as Span] : spansOf(inner)));
}

/** The rules of every text that this one breaks. */
function violations(source: string): string[] {
  const stream = new TokenStream(source);
  parseFile(stream);
  const result = parse(source);
  const { file, diagnostics } = result;
  const lines = new LineMap(source);
  const tree = JSON.stringify(file);
  const isBroken = tree.includes('"kind":"broken"') || /"(?:name|operator|property)":\{"text":""/.test(tree);
  const rules: Record<string, boolean> = {
    'linear time': stream.steps < STEPS * (source.length + 10),
    'places in the text': spansOf(result).every(
      ({ start, end }) => 0 <= start && start <= end && end <= source.length,
    ),
    'problems in their order': diagnostics.every(
      ({ span }, n) => span.start >= (diagnostics[n - 1]?.span.start ?? 0),
    ),
    'a limit of problems': diagnostics.length <= 101,
    'a problem if the tree is broken': !isBroken || diagnostics.length > 0,
    'formatted if right': 'text' in formatSource(source) === (diagnostics.length === 0),
    'shown to people': diagnostics.every((one) => renderDiagnostic(one, 'x.agent', lines).includes(one.code)),
    'shown to programs': diagnostics.every(
      (one) => diagnosticToJson(one, 'x.agent', lines).endLine <= lines.lineCount,
    ),
  };
  return Object.keys(rules).filter((rule) => rules[rule] === false);
}

const PIECES = (
  'agent stream tool input when otherwise graph a b true and not { } ( ) [ ] , : = -> . ?. ?[ ? ! - + == && ?? => & ' +
  '1 2ms 3x "s" "${ }" " \' """ // /* */ /// @ ; # \\ \u{1F600}'
)
  .split(' ')
  .concat('\n', ' ');
const piece = fc.constantFrom(...PIECES);

describe('any text', () => {
  const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 200 }), fc.string({ maxLength: 200 }));

  it('gives a tree, problems in their order and places in the text, in linear time', () => {
    fc.assert(
      fc.property(text, (source) => {
        expect(violations(source)).toEqual([]);
      }),
      { numRuns },
    );
  });

  it('also if it is made of the words of the language', () => {
    const start = fc.constantFrom('', 'agent a { ', 'agent a { x = ', 'agent a { tool t : O { input { q = ');
    const soup = fc
      .tuple(fc.array(piece, { maxLength: 60 }), fc.constantFrom('', ' ', '\n'))
      .map(([pieces, between]) => pieces.join(between));
    fc.assert(
      fc.property(start, soup, (before, source) => {
        expect(violations(before + source)).toEqual([]);
        expect(parseExpression(source).diagnostics.length).toBeLessThanOrEqual(101);
      }),
      { numRuns: numRuns * 5 },
    );
  });
});

const anyExample = fc.oneof(fc.constantFrom(...examples.values()), validSource);
const kind = fc.constantFrom<'delete' | 'double' | 'swap' | 'insert'>('delete', 'double', 'swap', 'insert');

/** A stretch of a text replaced. */
const replaced = (source: string, { start, end }: Span, by: string): string =>
  source.slice(0, start) + by + source.slice(end);

/** The places of the tokens of a source, the end left out. */
const tokenSpans = (source: string): Span[] => {
  const { tokens } = tokenize(source);
  return Array.from({ length: tokens.length - 1 }, (_, n) => ({
    start: tokens.start(n),
    end: tokens.end(n),
  }));
};

describe('a valid file with a change', () => {
  it('of its characters is read', () => {
    const change = fc.tuple(kind, fc.nat(), piece);
    fc.assert(
      fc.property(anyExample, fc.array(change, { minLength: 1, maxLength: 4 }), (source, changes) => {
        let text = source;
        for (const [how, place, inserted] of changes) {
          const at = place % (text.length + 1);
          const [one, two] = [text.charAt(at), text.charAt(at + 1)];
          const by = { delete: '', double: one + one, swap: two + one, insert: inserted + one }[how];
          text = replaced(text, { start: at, end: at + (how === 'swap' ? 2 : 1) }, by);
        }
        expect(violations(text)).toEqual([]);
      }),
      { numRuns: numRuns * 2 },
    );
  });

  it('of its tokens is read', () => {
    fc.assert(
      fc.property(anyExample, kind, fc.nat(), piece, (source, how, place, inserted) => {
        const spans = tokenSpans(source);
        fc.pre(spans.length > 1);
        const n = place % (spans.length - 1);
        const [span, next] = [spans[n]!, spans[n + 1]!];
        const text = source.slice(span.start, span.end);
        const [between, after] = [source.slice(span.end, next.start), source.slice(next.start, next.end)];
        const by = {
          delete: between + after,
          double: `${text} ${text}${between}${after}`,
          swap: after + between + text,
          insert: `${text} ${inserted} ${after}`,
        }[how];
        expect(violations(replaced(source, { start: span.start, end: next.end }, by))).toEqual([]);
      }),
      { numRuns: numRuns * 2 },
    );
  });

  it('that removes or adds a bracket has a problem', () => {
    fc.assert(
      fc.property(anyExample, fc.nat(), fc.boolean(), (source, place, isAdded) => {
        const brackets = tokenSpans(source).filter(({ start, end }) =>
          /^[{}()[\]]$/.test(source.slice(start, end)),
        );
        // In `"${{ a: 1 }}.b}"` a brace more only ends the expression earlier.
        fc.pre(brackets.length > 0 && !source.includes('${{'));
        const span = brackets[place % brackets.length]!;
        const bracket = source.slice(span.start, span.end);
        const changed = replaced(source, span, isAdded ? ` ${bracket}${bracket} ` : ' ');
        expect(violations(changed)).toEqual([]);
        expect(parse(changed).diagnostics).not.toEqual([]);
      }),
      { numRuns },
    );
  });

  it('that adds one strange sign between tokens has one problem, and keeps its agents', () => {
    fc.assert(
      fc.property(anyExample, fc.nat(), (source, place) => {
        const starts = [...tokenSpans(source).map(({ start }) => start), source.length];
        const places = starts.filter((at) => at === 0 || /\s/.test(source.charAt(at - 1)));
        fc.pre(places.length > 0);
        const at = places[place % places.length]!;
        const changed = parse(replaced(source, { start: at, end: at }, ' @ '));
        expect(changed.diagnostics.map(({ code }) => code)).toEqual(['unexpected-character']);
        expect(changed.file.agents.length).toBe(parse(source).file.agents.length);
      }),
      { numRuns },
    );
  });
});
