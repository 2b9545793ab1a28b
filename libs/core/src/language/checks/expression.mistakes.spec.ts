import { describe, expect, it } from 'vitest';
import { problemsOf } from '../../../../../test/support/dsl-problems.js';

/** As hints list them. */
const METHODS =
  'the methods are length, size, isEmpty, contains, startsWith, endsWith, indexOf, toLowerCase, toUpperCase, trim, split, substring, slice, replace, toNumber, toString, first, last, any, all, none, find, filter, map, count, sum, min, max, join, reverse, flatten, distinct, sortBy, keys, values, has, abs, round, floor, ceil';

describe('a mistake in an expression is told once', () => {
  it.each<[string, string, string]>([
    [
      'an unknown variable',
      'exit_condition = finishReason == "stop"',
      '4:20 error[unknown-variable] "finishReason" is not known in exit_condition. (did you mean "finish_reason"?)',
    ],
    [
      'a variable of another world',
      'exit_condition = result.ok',
      '4:20 error[unknown-variable] "result" is not known in exit_condition. (exit_condition knows finish_reason, content, turn, tool_calls, tool_results, messages and tool_call(name))',
    ],
    [
      'ctx',
      'exit_condition = ctx.done',
      '4:20 error[unknown-variable] "ctx" is not known in exit_condition. (exit_condition knows finish_reason, content, turn, tool_calls, tool_results, messages and tool_call(name))',
    ],
    [
      'tool_args',
      'exit_condition = tool_args.query == "x"',
      '4:20 error[tool-args-outside-input] "tool_args" is not known in exit_condition: it stands inside the input { … } of a tool only. (use tool_calls, which have the arguments of this turn, or tool_results)',
    ],
    [
      'a function without its call',
      'exit_condition = tool_call',
      '4:20 error[unknown-variable] "tool_call" is not known in exit_condition. (it is a function: write tool_call(name))',
    ],
    [
      'an unknown function',
      'exit_condition = toolCall("search")',
      '4:20 error[unknown-function] "toolCall" is no function of exit_condition. (did you mean "tool_call"?)',
    ],
    [
      'a function of another world',
      'exit_condition = print(turn)',
      '4:20 error[unknown-function] "print" is no function of exit_condition. (there is tool_call(name))',
    ],
    [
      'a method as a function',
      'exit_condition = length(content)',
      '4:20 error[unknown-function] "length" is no function of exit_condition. (it is a method: write value.length(…))',
    ],
    [
      'a function without an argument',
      'exit_condition = tool_call()',
      '4:20 error[wrong-argument-count] "tool_call" takes 1 argument, but has 0.',
    ],
    [
      'a function of two arguments',
      'exit_condition = tool_call("search", "escalate")',
      '4:20 error[wrong-argument-count] "tool_call" takes 1 argument, but has 2.',
    ],
    [
      'a function of a number',
      'exit_condition = tool_call(5)',
      '4:30 error[wrong-type] "tool_call(name)" must have the name of a tool, in quotes, but it is 5.',
    ],
    [
      'a function of a lambda',
      'exit_condition = tool_call(x -> x)',
      '4:30 error[unexpected-lambda] "tool_call" takes no lambda. (give a value)',
    ],
    [
      'a tool without quotes',
      'exit_condition = tool_call(search)',
      '4:30 error[unknown-variable] "search" is not known in exit_condition. (names of tools stand in quotes: "search")',
    ],
    [
      'an unknown tool',
      'exit_condition = tool_call("serch")',
      '4:30 warning[unknown-tool] The agent has no tool "serch": this is never true. (did you mean "search"?)',
    ],
    [
      'the result of an unknown tool',
      'exit_condition = tool_results.lookup.found',
      '4:33 warning[unknown-tool] The agent has no tool "lookup": this is always null. (its tools are search and escalate)',
    ],
    [
      'the result of an unknown tool by index',
      'exit_condition = tool_results["searching"] != null',
      '4:33 warning[unknown-tool] The agent has no tool "searching": this is always null. (did you mean "search"?)',
    ],
    [
      'an unknown method',
      'exit_condition = content.startWith("DONE")',
      '4:28 error[unknown-method] "startWith" is no method. (did you mean "startsWith"?)',
    ],
    [
      'a method of another world',
      'exit_condition = content.matchAll("x")',
      `4:28 error[unknown-method] "matchAll" is no method. (${METHODS})`,
    ],
    [
      'a method without its argument',
      'exit_condition = content.contains()',
      '4:28 error[wrong-argument-count] "contains" takes 1 argument, but has 0.',
    ],
    [
      'too many arguments',
      'exit_condition = content.length(1)',
      '4:28 error[wrong-argument-count] "length" takes no argument, but has 1.',
    ],
    [
      'no lambda',
      'exit_condition = tool_calls.any()',
      '4:31 error[wrong-argument-count] "any" takes 1 argument, but has 0. (write any(item -> …))',
    ],
    [
      'a value for a lambda',
      'exit_condition = tool_calls.any(true)',
      '4:35 error[expected-lambda] "any" takes a lambda, not a value. (write any(item -> …))',
    ],
    [
      'a lambda for a value',
      'exit_condition = content.contains(x -> x)',
      '4:37 error[unexpected-lambda] "contains" takes no lambda. (give a value)',
    ],
    [
      'a lambda in the second place',
      'exit_condition = content.slice(1, x -> x)',
      '4:37 error[unexpected-lambda] "slice" takes no lambda. (give a value)',
    ],
    [
      'a call of a call',
      'exit_condition = tool_call("search")(1)',
      '4:20 error[not-callable] Only a method or a function can be called. (methods are called on a value, as in content.contains("…"))',
    ],
    [
      'a constructor',
      'exit_condition = content.constructor',
      '4:28 error[forbidden-name] "constructor" cannot be the name of a field: it is always null. (give the field another name)',
    ],
    [
      'a constructor by index',
      'exit_condition = content["constructor"]',
      '4:28 error[forbidden-name] "constructor" cannot be the name of a field: it is always null. (give the field another name)',
    ],
    [
      'a prototype of an unknown method',
      'exit_condition = content.__proto__()',
      `4:28 error[unknown-method] "__proto__" is no method. (${METHODS})`,
    ],
    [
      'a text, which is always true',
      'exit_condition = "stop"',
      '4:20 warning[constant-condition] This exit_condition is always true: the agent ends after its first tools. (compare it with something, as in finish_reason == "stop")',
    ],
    [
      'false, which is never true',
      'exit_condition = false',
      '4:20 warning[constant-condition] This exit_condition is never true. (compare it with something, as in finish_reason == "stop")',
    ],
    [
      'a lambda with two names',
      'exit_condition = tool_calls.any(call -> cal.name == "x")',
      '4:43 error[unknown-variable] "cal" is not known in exit_condition. (did you mean "call"?)',
    ],
  ])('%s', (_, body, problem) => {
    expect(
      problemsOf(
        `agent a { model = "m"\n  tool search : Escalate { }\n  tool escalate : Escalate { }\n  ${body}\n}`,
      ),
    ).toEqual([problem]);
  });
});
