import { describe, expect, it } from 'vitest';
import { problemsOf } from '../../../../../test/support/dsl-problems.js';

describe('a wrong limit is told once', () => {
  it.each<[string, string, string]>([
    [
      'turns that are none',
      'agent a { model = "m" max_turns = 0 }',
      '1:35 error[out-of-range] "max_turns" must be a whole number >= 1, but it is 0.',
    ],
    [
      'negative turns',
      'agent a { model = "m" max_turns = -1 }',
      '1:35 error[out-of-range] "max_turns" must be a whole number >= 1, but it is -1.',
    ],
    [
      'half a turn',
      'agent a { model = "m" max_turns = 2.5 }',
      '1:35 error[out-of-range] "max_turns" must be a whole number >= 1, but it is 2.5.',
    ],
    [
      'turns in quotes',
      'agent a { model = "m" max_turns = "10" }',
      '1:35 error[wrong-type] "max_turns" must be a whole number >= 1, but it is the text "10". (write 10, without quotes)',
    ],
    [
      'turns as a duration',
      'agent a { model = "m" max_turns = 5s }',
      '1:35 error[wrong-type] "max_turns" must be a whole number >= 1, but it is a duration of 5000 ms.',
    ],
    [
      'turns as an expression',
      'agent a { model = "m" max_turns = 5 + 5 }',
      '1:35 error[wrong-type] "max_turns" must be a whole number >= 1, but it is an expression.',
    ],
    [
      'null turns',
      'agent a { model = "m" max_turns = null }',
      '1:35 error[wrong-type] "max_turns" must be a whole number >= 1, but it is null.',
    ],
    [
      'no concurrency',
      'agent a { model = "m" max_tool_concurrency = 0 }',
      '1:46 error[out-of-range] "max_tool_concurrency" must be a whole number >= 1, but it is 0.',
    ],
    [
      'a temperature in quotes',
      'agent a { model = "m" temperature = "0.7" }',
      '1:37 error[wrong-type] "temperature" must be a number, but it is the text "0.7". (write 0.7, without quotes)',
    ],
    [
      'a temperature as a duration',
      'agent a { model = "m" temperature = 1s }',
      '1:37 error[wrong-type] "temperature" must be a number, but it is a duration of 1000 ms.',
    ],
    [
      'streaming in quotes',
      'agent a { model = "m" streaming = "true" }',
      '1:35 error[wrong-type] "streaming" must be true or false, but it is the text "true". (write true, without quotes)',
    ],
    [
      'streaming as a word',
      'agent a { model = "m" streaming = yes }',
      '1:35 error[wrong-type] "streaming" must be true or false, but it is the name "yes".',
    ],
    [
      'no buffer',
      'agent a { model = "m" streaming_buffer_capacity = 0 }',
      '1:51 error[out-of-range] "streaming_buffer_capacity" must be a whole number >= 1, but it is 0.',
    ],
    [
      'a stream agent that does not stream',
      'stream agent a { model = "m" streaming = false }',
      '1:30 error[contradiction] A "stream agent" cannot have streaming = false. (remove one of them)',
    ],
    [
      'no time',
      'agent a { model = "m" tool_timeout = 0s }',
      '1:38 error[out-of-range] "tool_timeout" must be from 1ms to 2147483647ms, but it is a duration of 0 ms. (write a time such as 500ms or 30s)',
    ],
    [
      'a limit of tools beyond all timers',
      'agent a { model = "m" tool_timeout = 30d }',
      '1:38 error[out-of-range] "tool_timeout" must be from 1ms to 2147483647ms, but it is a duration of 2592000000 ms. (write 24d or less)',
    ],
    [
      'a time in quotes',
      'agent a { model = "m" tool_timeout = "30s" }',
      '1:38 error[wrong-type] "tool_timeout" must be a duration such as 30s, or a number of ms, but it is the text "30s". (write 30s, without quotes)',
    ],
    [
      'a time of more than a year',
      'agent a { model = "m" deadline = 366d }',
      '1:34 error[out-of-range] "deadline" must be from 1ms to 31536000000ms, but it is a duration of 31622400000 ms. (write 365d or less)',
    ],
    [
      'half a millisecond',
      'agent a { model = "m" deadline = 1.5 }',
      '1:34 error[out-of-range] "deadline" must be from 1ms to 31536000000ms, but it is 1.5. (write a time such as 500ms or 30s)',
    ],
    [
      'no tokens',
      'agent a { model = "m" max_tokens = 0 }',
      '1:36 error[out-of-range] "max_tokens" must be a whole number >= 1, but it is 0.',
    ],
    [
      'tokens as a duration',
      'agent a { model = "m" max_total_tokens = 5m }',
      '1:42 error[wrong-type] "max_total_tokens" must be a whole number >= 1, but it is a duration of 300000 ms.',
    ],
    [
      'an unknown policy',
      'agent a { model = "m" on_max_turns = "finalise" }',
      '1:38 error[out-of-range] "on_max_turns" must be "throw" or "finalize", but it is the text "finalise". (did you mean "finalize"?)',
    ],
    [
      'a policy without quotes',
      'agent a { model = "m" on_max_turns = finalize }',
      '1:38 error[wrong-type] "on_max_turns" must be "throw" or "finalize", but it is the name "finalize". (texts stand in quotes: "finalize")',
    ],
    [
      'a negative limit',
      'agent a { model = "m" repeated_call_limit = -1 }',
      '1:45 error[out-of-range] "repeated_call_limit" must be a whole number >= 0, but it is -1.',
    ],
    [
      'a result limit that shows nothing',
      'agent a { model = "m" tool_result_limit = 99 }',
      '1:43 error[out-of-range] "tool_result_limit" must be a whole number >= 100, but it is 99.',
    ],
    [
      'tools that are not all',
      'agent a { model = "m" tools = "some" }',
      '1:31 error[out-of-range] "tools" must be "all", but it is the text "some".',
    ],
    [
      'a list of tools',
      'agent a { model = "m" tools = ["search"] }',
      '1:31 error[wrong-type] "tools" must be "all", but it is a list.',
    ],
    [
      'tool_args as a limit',
      'agent a { model = "m" max_turns = tool_args.turns }',
      '1:35 error[tool-args-outside-input] "tool_args" is not known in max_turns: it stands inside the input { … } of a tool only. (the arguments of a call exist only while the input of its tool is made)',
    ],
  ])('%s', (_, body, problem) => {
    expect(problemsOf(body)).toEqual([problem]);
  });
});

describe('a wrong memory is told once', () => {
  it.each<[string, string, string]>([
    [
      'an unknown strategy',
      'agent a { model = "m" memory = sliding_windw(20) }',
      '1:32 error[unknown-memory] "sliding_windw" is no memory strategy. (did you mean "sliding_window"?)',
    ],
    [
      'a strategy of another name',
      'agent a { model = "m" memory = everything() }',
      '1:32 error[unknown-memory] "everything" is no memory strategy. (there are full(), sliding_window(n), token_budget(n) or summary(n))',
    ],
    [
      'a strategy that is no call',
      'agent a { model = "m" memory = full }',
      '1:32 error[wrong-type] "memory" must be full(), sliding_window(n), token_budget(n) or summary(n), but it is the name "full". (write full())',
    ],
    [
      'a strategy in quotes',
      'agent a { model = "m" memory = "summary" }',
      '1:32 error[wrong-type] "memory" must be full(), sliding_window(n), token_budget(n) or summary(n), but it is the text "summary". (write summary(20))',
    ],
    [
      'a number',
      'agent a { model = "m" memory = 20 }',
      '1:32 error[wrong-type] "memory" must be full(), sliding_window(n), token_budget(n) or summary(n), but it is 20.',
    ],
    [
      'full with a size',
      'agent a { model = "m" memory = full(20) }',
      '1:32 error[wrong-argument-count] "full" takes no argument, but has 1. (write full())',
    ],
    [
      'no size',
      'agent a { model = "m" memory = sliding_window() }',
      '1:32 error[wrong-argument-count] "sliding_window" takes 1 argument, but has 0. (write the messages: sliding_window(20))',
    ],
    [
      'two sizes',
      'agent a { model = "m" memory = token_budget(1, 2) }',
      '1:32 error[wrong-argument-count] "token_budget" takes 1 argument, but has 2. (write the tokens: token_budget(8000))',
    ],
    [
      'size 0',
      'agent a { model = "m" memory = summary(0) }',
      '1:40 error[out-of-range] "summary(n)" must be a whole number >= 1, but it is 0.',
    ],
    [
      'a size in quotes',
      'agent a { model = "m" memory = sliding_window("20") }',
      '1:47 error[wrong-type] "sliding_window(n)" must be a whole number >= 1, but it is the text "20". (write 20, without quotes)',
    ],
    [
      'a duration as a size',
      'agent a { model = "m" memory = sliding_window(20m) }',
      '1:47 error[wrong-type] "sliding_window(n)" must be a whole number >= 1, but it is a duration of 1200000 ms.',
    ],
    [
      'a custom memory',
      'agent a { model = "m" memory = custom(factory) }',
      '1:32 error[custom-memory] A custom memory can be given in TypeScript only. (AgentBuilder.from(def).memory(AgentMemoryStrategy.custom(factory)))',
    ],
  ])('%s', (_, body, problem) => {
    expect(problemsOf(body)).toEqual([problem]);
  });
});
