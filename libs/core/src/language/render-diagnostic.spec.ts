import { describe, expect, it } from 'vitest';
import type { Diagnostic } from './diagnostic.js';
import { diagnosticToJson } from './diagnostic-json.js';
import { LineMap } from './line-map.js';
import { parse } from './parser.js';
import { renderDiagnostic } from './render-diagnostic.js';

const problem = (start: number, end: number, message = 'Wrong.'): Diagnostic => ({
  code: 'a-code',
  severity: 'error',
  message,
  span: { start, end },
});

const rendered = (source: string, diagnostic: Diagnostic): string[] =>
  renderDiagnostic(diagnostic, 'x.agent', new LineMap(source)).split('\n');

describe('a diagnostic for people', () => {
  it('has its place, its line, a caret line, the hint and related places', () => {
    const source = `agent a {\n${'\n'.repeat(8)}  max_turn = 15\n}`;
    const diagnostic: Diagnostic = {
      ...problem(20, 28, '"max_turn" is no property of an agent.'),
      severity: 'warning',
      hint: 'did you mean "max_turns"?',
      related: [{ message: 'opened here', span: { start: 8, end: 9 } }],
    };
    expect(rendered(source, diagnostic)).toEqual([
      'x.agent:10:3 warning[a-code] "max_turn" is no property of an agent.',
      '  10 |   max_turn = 15',
      '     |   ^^^^^^^^',
      '  hint: did you mean "max_turns"?',
      'x.agent:1:9 opened here',
      '  1 | agent a {',
      '    |         ^',
    ]);
  });

  it.each<[string, string, number, number, string, string]>([
    ['an empty place', 'ab', 1, 1, 'ab', ' ^'],
    ['the end', 'ab', 2, 2, 'ab', '  ^'],
    ['an empty line', 'a\n\nb', 2, 2, '', '^'],
    ['several lines', 'a = [\n1\n]', 4, 9, 'a = [', '    ^'],
    ['tabs', '\ta\tb', 3, 4, '\ta\tb', '\t \t^'],
    ['wide characters', '名前 = "🙂" x', 10, 11, '名前 = "🙂" x', '            ^'],
    ['a wide character marked', '名 = 1', 0, 1, '名 = 1', '^^'],
    ['accents of their own', 'e\u0301 x', 3, 4, 'e\u0301 x', '  ^'],
    ['control characters', 'a\u0000\u001b[31mb', 7, 8, 'a␀␛[31mb', '       ^'],
    ['a turned line', 'a\u202eb', 2, 3, 'a\uFFFDb', '  ^'],
    ['CR LF', 'a\r\nb', 0, 1, 'a', '^'],
  ])('shows %s', (_, source, start, end, line, marks) => {
    const [, shown, below] = rendered(source, problem(start, end));
    expect([shown, below]).toEqual([
      `  ${source === 'a\n\nb' ? 2 : 1} | ${line}`.trimEnd(),
      `    | ${marks}`,
    ]);
  });

  it('cuts a long line around the caret', () => {
    const source = `${'a'.repeat(3_000)}BAD${'c'.repeat(3_000)}`;
    const [place, line, marks] = rendered(source, problem(3_000, 3_003));
    expect(place).toBe('x.agent:1:3001 error[a-code] Wrong.');
    expect(line).toBe(`  1 | …${'a'.repeat(40)}BAD${'c'.repeat(57)}…`);
    expect(marks).toBe(`    | ${' '.repeat(41)}^^^`);
    expect(rendered(source, problem(6_003, 6_003))[2]).toBe(`    | ${' '.repeat(101)}^`);
    expect(rendered(source, problem(0, 6_003))[2]).toBe(`    | ${'^'.repeat(100)}`);
  });

  it('lets nothing of the file name or message act on a terminal', () => {
    const text = renderDiagnostic(problem(0, 1, 'a\u001b[2Jb\nc'), 'x\u001b]0;y\u0007', new LineMap('a'));
    expect(text.split('\n')[0]).toBe('x␛]0;y␇:1:1 error[a-code] a␛[2Jb␊c');
  });
});

it('is a plain object for programs', () => {
  const source = 'agent a {\n  x = f(1\n}';
  const [diagnostic] = parse(source).diagnostics;
  expect(diagnosticToJson(diagnostic!, 'x.agent', new LineMap(source))).toEqual({
    file: 'x.agent',
    line: 2,
    column: 10,
    endLine: 2,
    endColumn: 10,
    code: 'unclosed-bracket',
    severity: 'error',
    message: 'This "(" is not closed: expected ")", but found "}".',
    hint: 'add the closing bracket',
    related: [{ file: 'x.agent', line: 2, column: 8, endLine: 2, endColumn: 9, message: 'opened here' }],
  });
});
