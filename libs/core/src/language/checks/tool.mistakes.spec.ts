import { describe, expect, it } from 'vitest';
import { problemsOf } from '../../../../../test/support/dsl-problems.js';

describe('a mistake in a tool is told once', () => {
  it.each<[string, string, string]>([
    [
      'an unknown operator',
      'tool t : KbSaerch { input { query = tool_args.query } }',
      '2:12 error[unknown-operator] There is no operator "KbSaerch". (did you mean "KbSearch"? the operators are KbSearch, Refund and Escalate)',
    ],
    [
      'an operator with a short name',
      'tool t : O { }',
      '2:12 error[unknown-operator] There is no operator "O". (the operators are KbSearch, Refund and Escalate)',
    ],
    [
      'an operator of another world',
      'tool t : Weather { }',
      '2:12 error[unknown-operator] There is no operator "Weather". (the operators are KbSearch, Refund and Escalate)',
    ],
    [
      'an operator that calls a model',
      'tool t : llmChat { }',
      '2:12 error[operator-is-no-tool] The operator "llmChat" calls a model; it is no tool. (name the operator that does the work)',
    ],
    [
      'a name with other letters',
      'tool größe : Escalate { }',
      '2:8 error[invalid-tool-name] "größe" cannot be the name of a tool. (models accept 1 to 64 letters a to z, digits, "_" and "-")',
    ],
    [
      'an empty name',
      'tool "" : Escalate { }',
      '2:8 error[invalid-tool-name] "" cannot be the name of a tool. (models accept 1 to 64 letters a to z, digits, "_" and "-")',
    ],
    [
      'an unknown property',
      'tool t : Escalate { descripton = "x" }',
      '2:23 error[unknown-property] "descripton" is no property of a tool. (did you mean "description"?)',
    ],
    [
      'a property of another world',
      'tool t : Escalate { retries = 3 }',
      '2:23 error[unknown-property] "retries" is no property of a tool. (a tool has a description and an input { … })',
    ],
    [
      'an input with a sign',
      'tool t : Escalate { input = { reason: tool_args.reason } }',
      '2:23 error[unknown-property] "input" is no property of a tool. (write input { … }, without "=")',
    ],
    [
      'a description twice',
      'tool t : Escalate { description = "a"\n description = "b" }',
      '3:2 error[duplicate-property] The property "description" is declared twice. (remove one of them)',
    ],
    [
      'a description that is no text',
      'tool t : Escalate { description = 5 }',
      '2:37 error[wrong-type] "description" must be a fixed text, but it is 5.',
    ],
    [
      'a description with an expression',
      'tool t : Escalate { description = "for ${ctx.user}" }',
      '2:37 error[wrong-type] "description" must be a fixed text, but it is a text with "${…}".',
    ],
    [
      'tool_args in a description',
      'tool t : Escalate { description = "for ${tool_args.user}" }',
      '2:44 error[tool-args-outside-input] "tool_args" is not known in description: it stands inside the input { … } of a tool only. (the arguments of a call exist only while the input of its tool is made)',
    ],
    [
      'two inputs',
      'tool t : Escalate { input { reason = tool_args.reason }\n input { reason = tool_args.reason } }',
      '3:2 error[duplicate-input] A tool has one input. (put all assignments into one block)',
    ],
    [
      'a field twice',
      'tool t : Escalate { input { reason = tool_args.reason\n reason = "x" } }',
      '3:2 error[duplicate-field] The field "reason" is declared twice. (remove one of them)',
    ],
    [
      'an unknown variable',
      'tool t : Escalate { input { reason = args.reason } }',
      '2:40 error[unknown-variable] "args" is not known in input. (input knows tool_args and ctx)',
    ],
    [
      'a variable of the exit condition',
      'tool t : Escalate { input { reason = messages[-1].content } }',
      '2:40 error[unknown-variable] "messages" is not known in input. (input knows tool_args and ctx)',
    ],
    [
      'a function of the exit condition',
      'tool t : Escalate { input { reason = tool_call("t") } }',
      '2:40 error[unknown-function] "tool_call" is no function of input. (it is known in exit_condition only)',
    ],
    [
      'a misspelt tool_args',
      'tool t : Escalate { input { reason = tool_arg.reason } }',
      '2:40 error[unknown-variable] "tool_arg" is not known in input. (did you mean "tool_args"?)',
    ],
    [
      'an unknown method',
      'tool t : Escalate { input { reason = tool_args.reason.trimm() } }',
      '2:57 error[unknown-method] "trimm" is no method. (did you mean "trim"?)',
    ],
    [
      'a forbidden argument',
      'tool t : Escalate { input { reason = tool_args.constructor } }',
      '2:50 error[forbidden-name] "constructor" cannot be the name of a field: it is always null. (give the field another name)',
    ],
    [
      'a forbidden field',
      'tool t : Escalate { input { reason = tool_args.reason, __proto__ = 1 } }',
      '2:58 error[forbidden-name] "__proto__" cannot be the name of a field: it is always null. (give the field another name)',
    ],
    [
      'a field the operator does not take',
      'tool t : KbSearch { input { query = tool_args.query, colour = "red" } }',
      '2:56 warning[unknown-field] The operator "KbSearch" takes no "colour". (it takes query and limit)',
    ],
    [
      'a misspelt field is not missing too',
      'tool t : KbSearch { input { qurey = tool_args.query } }',
      '2:31 warning[unknown-field] The operator "KbSearch" takes no "qurey". (did you mean "query"?)',
    ],
    [
      'a field a closed operator does not take',
      'tool t : Refund { input { order = tool_args.order, cents = tool_args.cents, note = "x" } }',
      '2:79 error[unknown-field] The operator "Refund" takes no "note". (it takes order and cents)',
    ],
    [
      'a field that is missing',
      'tool t : KbSearch { input { limit = 5 } }',
      '2:23 error[missing-field] The operator "KbSearch" needs "query", which the input does not fill. (add query = …)',
    ],
    [
      'two fields that are missing',
      'tool t : Refund { input { } }',
      '2:21 error[missing-field] The operator "Refund" needs "order" and "cents", which the input does not fill. (add order = …, cents = …)',
    ],
  ])('%s', (_, body, problem) => {
    expect(problemsOf(`agent a { model = "m"\n  ${body}\n}`)).toEqual([problem]);
  });
});
