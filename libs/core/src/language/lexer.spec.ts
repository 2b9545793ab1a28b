import { describe, expect, it } from 'vitest';
import { tokenize } from './lexer.js';
import { Token } from './lexing/token.js';

const NAMES = new Map<number, string>(Object.entries(Token).map(([name, kind]) => [kind, name]));

/** Tokens as `Kind text`, without the end. */
function tokensOf(source: string): string[] {
  const { tokens } = tokenize(source);
  return Array.from(
    { length: tokens.length - 1 },
    (_, n) => `${NAMES.get(tokens.kind(n))} ${source.slice(tokens.start(n), tokens.end(n))}`,
  );
}

const problemsOf = (source: string): string[] =>
  tokenize(source).diagnostics.map(({ code, span }) => `${code} ${span.start}-${span.end}`);

describe('tokens', () => {
  it.each<[string, string[]]>([
    ['', []],
    ['\uFEFF a\u00A0b\t\r\n', ['Name a', 'Name b']],
    [
      'a-b a->b a - b',
      ['Name a', 'Minus -', 'Name b', 'Name a', 'Arrow ->', 'Name b', 'Name a', 'Minus -', 'Name b'],
    ],
    ['_x1 größe 名前 имя', ['Name _x1', 'Name größe', 'Name 名前', 'Name имя']],
    ['𝒳y', ['Name 𝒳y']],
    [
      '1 2.5 .5 2e3 1E-2 1.',
      ['Number 1', 'Number 2.5', 'Number .5', 'Number 2e3', 'Number 1E-2', 'Number 1', 'Dot .'],
    ],
    ['25ms 30d 12abc 1.2.3', ['Number 25ms', 'Number 30d', 'Number 12abc', 'Number 1.2.3']],
    ['2e3+1 2e+x', ['Number 2e3', 'Plus +', 'Number 1', 'Number 2e', 'Plus +', 'Name x']],
    [
      'a.b a?.b a?.5 a?[',
      [
        'Name a',
        'Dot .',
        'Name b',
        'Name a',
        'QuestionDot ?.',
        'Name b',
        'Name a',
        'Question ?',
        'Number .5',
        'Name a',
        'Question ?',
        'OpenBracket [',
      ],
    ],
    [
      '?? ? || && == != <= < >= >',
      [
        'Coalesce ??',
        'Question ?',
        'Or ||',
        'And &&',
        'EqualEqual ==',
        'BangEqual !=',
        'LessEqual <=',
        'Less <',
        'GreaterEqual >=',
        'Greater >',
      ],
    ],
    [
      '=!+*/%,:{}()[]',
      [
        'Equal =',
        'Bang !',
        'Plus +',
        'Star *',
        'Slash /',
        'Percent %',
        'Comma ,',
        'Colon :',
        'OpenBrace {',
        'CloseBrace }',
        'OpenParen (',
        'CloseParen )',
        'OpenBracket [',
        'CloseBracket ]',
      ],
    ],
    ['"a" "" "\\"" "\\\\"', ['String "a"', 'String ""', 'String "\\""', 'String "\\\\"']],
    ['"\\${a}" "$" "$5"', ['String "\\${a}"', 'String "$"', 'String "$5"']],
    ['"""a "b" ${c} \\"""', ['RawString """a "b" ${c} \\"""']],
    ['"""a""""" """"""', ['RawString """a"""""', 'RawString """"""']],
    ['"""a\nb"""', ['RawString """a\nb"""']],
  ])('%j', (source, expected) => {
    expect(tokensOf(source)).toEqual(expected);
    expect(problemsOf(source)).toEqual([]);
  });

  it('of strings with expressions in them', () => {
    expect(tokensOf('"a${b}c${d}e"')).toEqual([
      'TemplateHead "a${',
      'Name b',
      'TemplateMiddle }c${',
      'Name d',
      'TemplateTail }e"',
    ]);
    expect(tokensOf('"${{a:"}${"x"}"}}"')).toEqual([
      'TemplateHead "${',
      'OpenBrace {',
      'Name a',
      'Colon :',
      'TemplateHead "}${',
      'String "x"',
      'TemplateTail }"',
      'CloseBrace }',
      'TemplateTail }"',
    ]);
    expect(problemsOf('"${{a:"}${"x"}"}}"')).toEqual([]);
  });
});

describe('comments', () => {
  it.each<[string, string[]]>([
    ['a // b', ['line // b']],
    ['/// d\n//// e', ['line doc /// d', 'line //// e']],
    [
      '/** d */ /* e */ /**/ /***/ /*** f */',
      ['block doc /** d */', 'block /* e */', 'block /**/', 'block /***/', 'block /*** f */'],
    ],
    ['/* a /* b */ c */ d', ['block /* a /* b */ c */']],
    ['"// no" """/* no */"""', []],
    ['// a\r\nb // c\rd', ['line // a', 'line // c']],
  ])('%j', (source, expected) => {
    const { comments, diagnostics } = tokenize(source);
    const shown = comments.map(
      ({ kind, doc, span }) => `${kind}${doc ? ' doc' : ''} ${source.slice(span.start, span.end)}`,
    );
    expect(shown).toEqual(expected);
    expect(diagnostics).toEqual([]);
  });
});

describe('what is not closed', () => {
  it('gives one problem, with the place where it was opened', () => {
    expect(tokenize('a "bc\nd').diagnostics).toEqual([
      {
        code: 'unclosed-string',
        severity: 'error',
        message: 'This string is not closed: a quote is missing on its line.',
        span: { start: 5, end: 5 },
        hint: 'close it with a double quote',
        related: [{ message: 'opened here', span: { start: 2, end: 3 } }],
      },
    ]);
  });

  it.each<[string, string[], string[]]>([
    ['"a\nb', ['Broken "a', 'Name b'], ['unclosed-string 2-2']],
    ['"a\\\nb', ['Broken "a\\', 'Name b'], ['unclosed-string 3-3']],
    ['"a } b\n', ['Broken "a } b'], ['unclosed-string 6-6']],
    [
      '{ x = "a }\nb',
      ['OpenBrace {', 'Name x', 'Equal =', 'Broken "a ', 'CloseBrace }', 'Name b'],
      ['unclosed-string 9-9'],
    ],
    ['"see (b)\nc', ['Broken "see (b)', 'Name c'], ['unclosed-string 8-8']],
    ['"a ${b"\nc', ['Broken "a ${b"', 'Name c'], ['unclosed-interpolation 7-7']],
    ['"a ${"${b"\nc', ['Broken "a ${"${b"', 'Name c'], ['unclosed-interpolation 10-10']],
    ['"a ${@ b', ['Broken "a ${@ b'], ['unclosed-interpolation 8-8']],
    ['"""a\nb', ['Broken """a\nb'], ['unclosed-string 6-6']],
    ['a /* /* */ b', ['Name a'], ['unclosed-comment 12-12']],
  ])('%j', (source, expected, problems) => {
    expect(tokensOf(source)).toEqual(expected);
    expect(problemsOf(source)).toEqual(problems);
  });
});

describe('what means nothing', () => {
  it.each<[string, string[], string[]]>([
    ['a @@€ b', ['Name a', 'Name b'], ['unexpected-character 2-5']],
    ["'a b' c", ["Broken 'a b'", 'Name c'], ['invalid-symbol 0-5']],
    ["it's\n", ['Name it', 'Name s'], ['unexpected-character 2-3']],
    ['a; b', ['Name a', 'Name b'], ['unexpected-character 1-2']],
    ['a # b c\nd', ['Name a', 'Name d'], ['unexpected-character 2-7']],
    [
      'a === b !== c',
      ['Name a', 'EqualEqual ===', 'Name b', 'BangEqual !==', 'Name c'],
      ['invalid-symbol 2-5', 'invalid-symbol 8-11'],
    ],
    [
      'x => y & z | w',
      ['Name x', 'Arrow =>', 'Name y', 'And &', 'Name z', 'Or |', 'Name w'],
      ['invalid-symbol 2-4', 'invalid-symbol 7-8', 'invalid-symbol 11-12'],
    ],
    ['\u0000\u200b', [], ['unexpected-character 0-2']],
    ['\ud800', [], ['unexpected-character 0-1']],
  ])('%j', (source, expected, problems) => {
    expect(tokensOf(source)).toEqual(expected);
    expect(problemsOf(source)).toEqual(problems);
  });

  it('names a character that cannot be seen by its number', () => {
    expect(tokenize('\u200b').diagnostics[0]?.message).toBe('The character U+200B has no meaning here.');
    expect(tokenize('§').diagnostics[0]?.message).toBe('"§" has no meaning here.');
  });

  it('is told of a hundred times at most', () => {
    const { diagnostics, tokens, cut } = tokenize('@ '.repeat(10_000));
    expect(diagnostics).toHaveLength(101);
    expect(tokens.length).toBe(1);
    expect(cut).toBe(true);
  });
});

it('reads no more than a limit of tokens', () => {
  const { tokens, diagnostics, cut } = tokenize('a '.repeat(300_000));
  expect(tokens.length).toBe(250_001);
  expect(diagnostics.map(({ code }) => code)).toEqual(['file-too-long']);
  expect(cut).toBe(true);
});

it('takes no comment of more than 100,000 characters', () => {
  const comment = `/** ${'\n'.repeat(100_000)} */`;
  const { diagnostics, comments } = tokenize(`${comment} a`);
  expect(diagnostics).toMatchObject([{ code: 'comment-too-long', span: { start: 0, end: 2 } }]);
  expect(comments).toMatchObject([{ doc: false }]);
});
