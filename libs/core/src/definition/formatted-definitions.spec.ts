import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { examples } from '../../../../test/support/agent-sources.js';
import { formatSource } from '../language/formatter.js';
import { tokenize } from '../language/lexer.js';
import { Token } from '../language/lexing/token.js';
import type { AgentDef } from './agent-def.js';
import { AgentDslCompiler } from './agent-dsl.compiler.js';

const numRuns = Number(process.env.PROPERTY_RUNS ?? 200);
const compiler = new AgentDslCompiler();

function afterFormatting(source: string): readonly AgentDef[] {
  const formatted = formatSource(source);
  if (!('text' in formatted)) throw new Error('not formatted');
  return compiler.compileAll(formatted.text);
}

it.each([...examples])('formatting changes no definition of %s', (_, source) => {
  expect(afterFormatting(source)).toEqual(compiler.compileAll(source));
});

it('nor does the layout, whatever it is', () => {
  const between = fc.constantFrom('', ' ', '\n', '\n\n', ' // c\n', ' /* c */ ', '\r\n');
  fc.assert(
    fc.property(
      fc.constantFrom(...examples.values()),
      fc.infiniteStream(fc.tuple(fc.nat(20), between)),
      (source, layout) => {
        const laidOut = withLayout(source, layout);
        expect(compiler.compileAll(laidOut)).toEqual(compiler.compileAll(source));
        expect(afterFormatting(laidOut)).toEqual(compiler.compileAll(source));
      },
    ),
    { numRuns },
  );
});

it('nor do parentheses that change nothing', () => {
  const agent = (condition: string): string =>
    `agent a { model = "m" tool t : O { input { q = ${condition} } } exit_condition = turn > 3 }`;
  const plain = compiler.compile(agent('tool_args.a + 1 > 2 ? [1, 2] : "x"'));
  const wrapped = agent('((tool_args.a) + (1)) > 2\n ? ([1, /* one */\n (2)]) : ("\\u0078")');
  expect(compiler.compile(wrapped)).toEqual(plain);
  expect(afterFormatting(wrapped)).toEqual([plain]);
});

/** The source with more between some of its tokens: nothing that a doc comment or a string could be parted by. */
function withLayout(source: string, layout: Iterator<[number, string]>): string {
  const { tokens, comments } = tokenize(source);
  let text = '';
  let end = 0;
  for (let index = 0; index < tokens.length; index++) {
    const start = tokens.start(index);
    const gap = source.slice(end, start);
    const [chance, more] = layout.next().value as [number, string];
    const isFree = !comments.some(({ span }) => span.start >= end && span.end <= start);
    const isInside = tokens.kind(index) === Token.TemplateMiddle || tokens.kind(index) === Token.TemplateTail;
    const isOneLine = isInTemplate(tokens, index);
    text += gap + (chance === 0 && gap !== '' && isFree && !isInside && !isOneLine ? more : '');
    text += source.slice(start, tokens.end(index));
    end = tokens.end(index);
  }
  return text + source.slice(end);
}

function isInTemplate(tokens: ReturnType<typeof tokenize>['tokens'], index: number): boolean {
  let depth = 0;
  for (let at = 0; at < index; at++) {
    if (tokens.kind(at) === Token.TemplateHead) depth++;
    if (tokens.kind(at) === Token.TemplateTail) depth--;
  }
  return depth > 0;
}
