import { describe, expect, it } from 'vitest';
import { problemsOf } from '../../../../../test/support/dsl-problems.js';

/** A right file. */
const SOURCE = `agent a {
  model = "m"
  system_prompt = "hello"
  max_turns = 3
  tool t : Escalate {
    description = "d"
    input { q = tool_args.q, n = [1, 2, 3], o = { a: 1, b: 2 } }
  }
  exit_condition = finish_reason == "stop" || tool_call("t")
}
agent b {
  model = "m2"
}
`;

describe('a mistake of the syntax is told once, at its place, with a remedy', () => {
  it('is right before', () => {
    expect(problemsOf(SOURCE)).toEqual([]);
  });

  it.each<[string, string, string, string]>([
    ['= for ==', 'reason ==', 'reason =', '9:34 error[invalid-symbol] "=" compares nothing. (write "==")'],
    [
      'no } of an input',
      'b: 2 } }',
      'b: 2 }',
      '7:63 error[unclosed-block] This input is not closed: expected another "}", but found "}". (add "}")',
    ],
    [
      'no } of a tool',
      '  }\n  exit',
      '  exit',
      '7:65 error[unclosed-block] This tool is not closed: expected "}", but found "exit_condition". (add "}")',
    ],
    [
      'no opening quote of a sentence',
      '"hello"',
      'You are a helpful agent."',
      '3:19 error[unclosed-string] The opening quote of this text is missing. (write "…")',
    ],
    [
      'no opening quote of a word',
      '"m"',
      'm"',
      '2:11 error[unclosed-string] The opening quote of this text is missing. (write "…")',
    ],
    [
      'no opening quote between others',
      '"stop"',
      'stop"',
      '9:37 error[unclosed-string] The opening quote of this text is missing. (write "…")',
    ],
    [
      'no closing quote between others',
      '"stop"',
      '"stop',
      '9:42 error[unclosed-string] This string is not closed: a quote is missing on its line. (close it with a double quote)',
    ],
    [
      'no opening quote of a description',
      '"d"',
      'Escalate to, say, a human"',
      '6:19 error[unclosed-string] The opening quote of this text is missing. (write "…")',
    ],
    [
      'no (',
      'tool_call("t")',
      'tool_call "t")',
      '9:57 error[expected-paren] Expected "(" after "tool_call", but found "t". (write tool_call(…))',
    ],
    [
      'smart quotes',
      '"hello"',
      '“hello there, friend”',
      '3:19 error[invalid-symbol] A string stands in straight double quotes. (write "…")',
    ],
    [
      'backticks',
      '"hello"',
      '`hello there`',
      '3:19 error[invalid-symbol] A string stands in straight double quotes. (write "…", or """…""" for several lines)',
    ],
    [
      'an apostrophe in single quotes',
      '"hello"',
      "'it's me'",
      '3:19 error[invalid-symbol] A string stands in straight double quotes. (write "…")',
    ],
    [
      'a line break in a string',
      '"hello"',
      '"You are\n    kind and\n    brief."',
      '3:27 error[unclosed-string] This string is not closed on its line, and a "…" string has one line. (write """…""", or \\n for a line break)',
    ],
    [
      'no line of an input',
      'input { q = tool_args.q,',
      'q = tool_args.q,',
      '7:5 error[expected-input] Expected "input {" before the field "q". (write input { … } around the fields)',
    ],
    [
      'no input around fields',
      'input { q = tool_args.q, n = [1, 2, 3], o = { a: 1, b: 2 } }',
      'q = tool_args.q, r = tool_args.r',
      '7:5 error[expected-input] The field "q" stands outside of the tool\'s input. (write input { q = … })',
    ],
    [
      'no { of an object',
      '{ a: 1',
      'a: 1',
      '7:50 error[unexpected-token] Expected the end of the value, but found ":". (an object stands in braces: { key: value })',
    ],
    [
      'no [',
      '{ a: 1, b: 2 }',
      '{ a: 1, b: 2], c: 3 }',
      '7:61 error[unexpected-token] This "]" closes nothing. (remove it)',
    ],
    [
      'input =',
      'input { q = tool_args.q',
      'input = { q = tool_args.q',
      '7:5 error[unknown-property] "input" is no property of a tool. (write input { … }, without "=")',
    ],
    [
      'input:',
      'input { q = tool_args.q, n = [1, 2, 3], o = { a: 1, b: 2 } }',
      'input: { q: tool_args.q }',
      '7:5 error[unknown-property] "input" is no property of a tool. (write input { … }, without "=")',
    ],
    [
      'no word tool',
      'tool t :',
      't :',
      '5:3 error[expected-tool] Expected "tool" before "t". (write tool name : Operator { … })',
    ],
    [
      'no line of a tool',
      '  tool t : Escalate {\n',
      '',
      '5:5 error[expected-tool] Expected the tool that this "description" belongs to. (write tool name : Operator { … })',
    ],
    [
      'no name of a property',
      'max_turns = 3',
      '= 3',
      '4:3 error[expected-key] Expected "property = value" or "tool name : Operator { … }", but found "=". (name the property before "=")',
    ],
    [
      'a hyphen in a field',
      'q = tool_args.q',
      'my-key = tool_args.q',
      '7:13 error[invalid-key] "my-key" is no word: "-" subtracts. (write "my-key" = …, or my_key = …)',
    ],
    [
      'a hyphen in a property',
      'max_turns = 3',
      'max-turns = 3',
      '4:3 error[unknown-property] "max-turns" is no property of an agent. (did you mean "max_turns"?)',
    ],
    [
      ':=',
      'model = "m2"',
      'model := "m2"',
      '12:9 error[expected-equals] Expected "=" after "model", but found ":". (write "=")',
    ],
    [
      '=>',
      'model = "m2"',
      'model => "m2"',
      '12:9 error[expected-equals] Expected "=" after "model", but found "=>". (write "=")',
    ],
    [
      'a named argument',
      'max_turns = 3',
      'memory = sliding_window(n=3)',
      '4:27 error[named-argument] Arguments have no names, but found "n". (write the value alone; if it compares, write "==")',
    ],
    [
      'two parameters',
      'tool_args.q',
      'tool_args.q.map((a, b) -> a)',
      '7:33 error[invalid-lambda] A lambda has one name before its arrow, and no parentheses around it. (write items.map(item -> item.name))',
    ],
    [
      'a list as a subject',
      'tool_args.q',
      'when [1] { 1 -> 2 otherwise -> 3 }',
      '7:22 error[bare-subject] The subject of this "when" needs parentheses. (write when (…) { … })',
    ],
    [
      'a negative subject',
      'tool_args.q',
      'when -1 { 1 -> 2 otherwise -> 3 }',
      '7:22 error[bare-subject] The subject of this "when" needs parentheses. (write when (…) { … })',
    ],
    [
      'an object as a subject',
      'tool_args.q',
      'when { a: 1 } { 1 -> 2 otherwise -> 3 }',
      '7:22 error[bare-subject] The subject of this "when" needs parentheses. (write when (…) { … })',
    ],
    [
      'a text without quotes',
      '"m2"',
      'gpt-4o',
      '12:15 error[invalid-number] This is no number and no duration. (texts stand in quotes: "gpt-4o")',
    ],
    [
      'a conditional of another language',
      'tool_args.q',
      'if tool_args.q then 1 else 2',
      '7:20 error[unexpected-token] Expected the end of the value, but found "tool_args". (write test ? value : otherwise)',
    ],
    [
      'a property of the agent in a tool',
      'description = "d"',
      'max_tokens = 5',
      '6:5 error[unknown-property] "max_tokens" is no property of a tool. (it is a property of the agent: put it outside of the tool)',
    ],
    [
      'a header with more than a name',
      'agent b {',
      'agent b() {',
      '11:8 error[expected-brace] Expected "{" and the body of the agent, but found "(". (remove what stands before "{")',
    ],
  ])('%s', (_, from, to, problem) => {
    expect(SOURCE).toContain(from);
    expect(problemsOf(SOURCE.replace(from, () => to))).toEqual([problem]);
  });

  it('but a misspelt name beside it is told too', () => {
    const source = SOURCE.replace('finish_reason ==', 'finish_reson ==').replace('("t")', '("t"');
    expect(problemsOf(source)).toEqual([
      expect.stringContaining('unknown-variable] "finish_reson"'),
      expect.stringContaining('unclosed-bracket'),
    ]);
  });

  it('also on a line of five megabytes', () => {
    const quotes = `agent a { x = ${'a" '.repeat(1_600_001)}}`;
    const spaces = `agent a { x = b"${' '.repeat(5_000_000)}" c"\n\n}`;
    const braces = `agent a { tool t : O { ${'x = 1 } '.repeat(600_000)}`;
    const started = performance.now();
    for (const source of [quotes, spaces, braces]) expect(problemsOf(source)).not.toEqual([]);
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});
