import { describe, expect, it } from 'vitest';
import { problemsOf } from '../../../../../test/support/dsl-problems.js';

describe('a mistake in an agent is told once', () => {
  it.each<[string, string, string]>([
    [
      'no model',
      'agent a { max_turns = 3 }',
      '1:7 error[missing-model] The agent "a" has no model. (add model = "gpt-4o-mini", or "default" for the configured one)',
    ],
    [
      'an empty model',
      'agent a { model = "" }',
      '1:19 error[out-of-range] "model" must be a text such as "gpt-4o-mini", but it is the text "".',
    ],
    [
      'a model without quotes',
      'agent a { model = gpt }',
      '1:19 error[wrong-type] "model" must be a text such as "gpt-4o-mini", but it is the name "gpt". (texts stand in quotes: "gpt")',
    ],
    [
      'a model with an expression',
      'agent a { model = "gpt-${ctx.size}" }',
      '1:19 error[wrong-type] "model" must be a text such as "gpt-4o-mini", but it is a text with "${…}".',
    ],
    [
      'a number as the model',
      'agent a { model = 4 }',
      '1:19 error[wrong-type] "model" must be a text such as "gpt-4o-mini", but it is 4.',
    ],
    [
      'an unknown property',
      'agent a { model = "m"\n  wibble = 1 }',
      '2:3 error[unknown-property] "wibble" is no property of an agent. (an agent has model, max_turns, max_tool_concurrency, temperature, memory, streaming, streaming_buffer_capacity, tool_timeout, max_tokens, max_total_tokens, deadline, on_max_turns, repeated_call_limit, tool_result_limit, response_format, tools, system_prompt, exit_condition)',
    ],
    [
      'a property in camel case',
      'agent a { model = "m"\n  maxTurns = 3 }',
      '2:3 error[unknown-property] "maxTurns" is no property of an agent. (did you mean "max_turns"?)',
    ],
    [
      'a misspelt model is not missing too',
      'agent a { modle = "m" }',
      '1:11 error[unknown-property] "modle" is no property of an agent. (did you mean "model"?)',
    ],
    [
      'a description of an agent',
      'agent a { model = "m"\n  description = "x" }',
      '2:3 error[unknown-property] "description" is no property of an agent. (a comment /// before the agent describes it)',
    ],
    [
      'a property twice',
      'agent a { model = "m"\n  model = "n" }',
      '2:3 error[duplicate-property] The property "model" is declared twice. (remove one of them)',
    ],
    [
      'an agent twice',
      'agent a { model = "m" }\nagent a { model = "m" }',
      '2:7 error[duplicate-agent] The agent "a" is declared twice. (remove one of them)',
    ],
    [
      'an empty name',
      'agent "" { model = "m" }',
      '1:7 error[invalid-agent-name] The name of an agent cannot be empty.',
    ],
    [
      'a tool twice',
      'agent a { model = "m"\n  tool t : KbSearch { }\n  tool t : Escalate { } }',
      '3:8 error[duplicate-tool] The tool "t" is declared twice. (remove one of them)',
    ],
    [
      'a prompt that is no text',
      'agent a { model = "m" system_prompt = 5 }',
      '1:39 error[wrong-type] "system_prompt" must be a text, or an expression over ctx that gives one, but it is 5.',
    ],
    [
      'a list as the prompt',
      'agent a { model = "m" system_prompt = [ctx.a] }',
      '1:39 error[wrong-type] "system_prompt" must be a text, or an expression over ctx that gives one, but it is a list with an expression in it.',
    ],
    [
      'a prompt without quotes',
      'agent a { model = "m" system_prompt = helpful }',
      '1:39 error[unknown-variable] "helpful" is not known in system_prompt. (system_prompt knows ctx)',
    ],
    [
      'tool_args in a prompt',
      'agent a { model = "m" system_prompt = "Find ${tool_args.query}" }',
      '1:47 error[tool-args-outside-input] "tool_args" is not known in system_prompt: it stands inside the input { … } of a tool only. (the arguments of a call exist only while the input of its tool is made)',
    ],
    [
      'a response format that is no object',
      'agent a { model = "m" response_format = "json" }',
      '1:41 error[wrong-type] "response_format" must be a JSON Schema without variables, such as { type: "object", properties: { … } }, but it is the text "json".',
    ],
    [
      'a response format with a variable',
      'agent a { model = "m" response_format = { type: ctx.kind } }',
      '1:41 error[wrong-type] "response_format" must be a JSON Schema without variables, such as { type: "object", properties: { … } }, but it is an object with an expression in it.',
    ],
    [
      'a response format that is no schema',
      'agent a { model = "m" response_format = { type: "array" } }',
      '1:41 error[invalid-schema] The schema of response_format cannot be used: its root must describe an object, not type "array". Give { type: "object", properties: { ... } }, e.g. z.object({ value: ... }) round a single value.',
    ],
    [
      'a key twice',
      'agent a { model = "m" response_format = { type: "object"\n type: "object" } }',
      '2:2 error[duplicate-key] The key "type" is declared twice. (remove one of them)',
    ],
  ])('%s', (_, body, problem) => {
    expect(problemsOf(body)).toEqual([problem]);
  });
});
