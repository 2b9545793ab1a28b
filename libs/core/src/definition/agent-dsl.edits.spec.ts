import { describe, expect, it } from 'vitest';
import { examples } from '../../../../test/support/agent-sources.js';
import { tokenize } from '../language/lexer.js';
import { AgentDslCompiler } from './agent-dsl.compiler.js';

/** The worked example of the language and an agent with one of everything. */
const SOURCE = `${examples.get('worked-example.agent')}
agent second {
  model = "m2"
  tool look : Look {
    input {
      q = tool_args.q ?? "x"
      n = tool_args.items.map(i -> i.id)[0]
      o = { a: 1, b: [1, 2], c: ctx.user.name }
      w = when tool_args.k { "a" -> 1 otherwise -> 2 }
      t = tool_args.f ? "y" : "n \${ctx.z} !"
    }
  }
  tool other : Other {}
  memory = summary(3)
}
`;

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly by: string;
}

const compiler = new AgentDslCompiler();

function errorsAfter(edits: readonly Edit[]): number {
  const text = edits
    .toSorted((a, b) => b.start - a.start)
    .reduce((source, { start, end, by }) => source.slice(0, start) + by + source.slice(end), SOURCE);
  return compiler.check(text).diagnostics.filter(({ severity }) => severity === 'error').length;
}

function lineOf({ start }: Edit): number {
  return SOURCE.slice(0, start).split('\n').length;
}

/** Edits with more than one error, as `line: what was there`. */
function cascades(edits: readonly Edit[]): string[] {
  return edits
    .filter((edit) => errorsAfter([edit]) > 1)
    .map((edit) => `${lineOf(edit)}: ${SOURCE.slice(edit.start, edit.start + 20)}`);
}

const { tokens } = tokenize(SOURCE);
const spans = Array.from({ length: tokens.length - 1 }, (_, n) => ({
  start: tokens.start(n),
  end: tokens.end(n),
}));
const lines = [...SOURCE.matchAll(/.*\n/g)].map(({ index, 0: line }) => ({
  start: index,
  end: index + line.length,
}));
const deleted: Edit[] = spans.map((span) => ({ ...span, by: '' }));
const doubled: Edit[] = spans.map(({ start, end }) => ({
  start,
  end: start,
  by: `${SOURCE.slice(start, end)} `,
}));
const unquoted: Edit[] = [...SOURCE.matchAll(/"/g)].map(({ index }) => ({
  start: index,
  end: index + 1,
  by: '',
}));

describe('one edit of a right file is at most one error', () => {
  it('is right before', () => {
    expect(errorsAfter([])).toBe(0);
  });

  it.each<[string, readonly Edit[]]>([
    ['a token less', deleted],
    ['a token twice', doubled],
    ['a quote less', unquoted],
    ['a line less', lines.map((line) => ({ ...line, by: '' }))],
    [
      'a misspelt word',
      [...SOURCE.matchAll(/[A-Za-z_]{4,}/g)].map(({ index, 0: word }) => ({
        start: index,
        end: index + word.length,
        by: `${word[0]}${word[2]}${word[1]}${word.slice(3)}`,
      })),
    ],
  ])('%s', (_, edits) => {
    expect(cascades(edits)).toEqual([]);
  });
});

describe('three edits of three lines', () => {
  it('are three errors, but where braces that are missing and in excess make up for each other', () => {
    const single = [...deleted, ...doubled, ...unquoted].filter((edit) => errorsAfter([edit]) === 1);
    let seed = 1;
    const next = (): Edit => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      // One of them, as the index is below their number.
      return single[seed % single.length]!;
    };
    const rounds = 400;
    let exact = 0;
    for (let round = 0; round < rounds; round++) {
      const edits: Edit[] = [];
      while (edits.length < 3) {
        const edit = next();
        if (edits.every((other) => lineOf(other) !== lineOf(edit))) edits.push(edit);
      }
      if (errorsAfter(edits) === 3) exact++;
    }
    expect(exact / rounds).toBeGreaterThan(0.9);
  });
});
