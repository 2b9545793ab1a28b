// What the agent language costs: reading a file, testing an exit condition, refusing what is none.
import { AgentBuilder, AgentDslCompiler, Expression, OperatorRegistry } from '@nestor/core';
import { exitVariables } from '../../libs/core/dist/loop/exit-variables.js';
import { median } from './measure.mjs';

const LIMITS = { checkMs: 3, conditionUs: 2, garbageMs: 1_000 };
const CONDITION = 'finish_reason == "stop" || tool_call("escalateToHuman")';

/** Prints a table. Gives false if a target was missed. */
export function measureLanguage() {
  console.log('the agent language\n');
  const source = agentFile(200);
  const compiler = new AgentDslCompiler(registry());
  const { definitions, diagnostics } = compiler.check(source);
  if (!definitions) throw new Error(`The file of the benchmark has errors: ${JSON.stringify(diagnostics)}`);
  return [
    row(
      'parse, check and compile 200 lines, ms',
      times(200, () => compiler.check(source)),
      LIMITS.checkMs,
    ),
    row('the worked example’s exit condition, us', conditionTime(), LIMITS.conditionUs),
    row('5 MB of random text, ms', garbageTime(compiler, randomText(5_000_000)), LIMITS.garbageMs),
    row('5 MB in one line of words, ms', garbageTime(compiler, 'agent x '.repeat(625_000)), LIMITS.garbageMs),
    row('5 MB of {, ms', garbageTime(compiler, '{'.repeat(5_000_000)), LIMITS.garbageMs),
  ].every(Boolean);
}

function row(title, value, limit) {
  const good = value <= limit;
  console.log(
    `  ${title.padEnd(44)} ${value.toFixed(3).padStart(9)}   at most ${limit} ${good ? 'ok' : 'MISSED'}`,
  );
  return good;
}

/** Median milliseconds of a call, warm. */
function times(count, call) {
  for (let n = 0; n < count; n++) call();
  const samples = [];
  for (let n = 0; n < count; n++) {
    const startedAt = performance.now();
    call();
    samples.push(performance.now() - startedAt);
  }
  return median(samples);
}

/** With the variables as the loop makes them for each test; neither side is true, so that both are tested. */
function conditionTime() {
  const { exitCondition } = AgentBuilder.create('a').model('m').exitCondition(CONDITION).build();
  if (!(exitCondition instanceof Expression)) throw new Error('The condition was not compiled.');
  const call = { id: 'c', name: 'searchKnowledgeBase', arguments: '{}' };
  const run = {
    answer: { finishReason: 'tool_calls', message: { role: 'assistant', content: null, toolCalls: [call] } },
    turn: 3,
    toolResults: { c: ['one', 'two'] },
    memory: { messages: () => [] },
  };
  const calls = [{ call }];
  const batch = 10_000;
  return (
    (times(100, () => {
      for (let n = 0; n < batch; n++)
        if (exitCondition.holds(exitVariables(run, calls))) throw new Error('The condition holds.');
    }) *
      1_000) /
    batch
  );
}

function garbageTime(compiler, source) {
  const startedAt = performance.now();
  const { definitions, diagnostics } = compiler.check(source);
  if (definitions || diagnostics.length === 0) throw new Error('Garbage was taken for agents.');
  return performance.now() - startedAt;
}

function randomText(length) {
  let seed = 42;
  const codes = Array.from({ length }, () => 32 + ((seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) % 95));
  let text = '';
  for (let start = 0; start < length; start += 10_000)
    text += String.fromCharCode(...codes.slice(start, start + 10_000));
  return text;
}

function registry() {
  const operators = new OperatorRegistry();
  for (const name of ['search', 'escalate']) operators.register(name, { execute: () => 'ok' });
  return operators;
}

/** Agents of some twenty lines each, as people write them. */
function agentFile(lines) {
  const agents = [];
  for (let n = 0; agents.length * 20 < lines; n++) {
    agents.push(`/// Answers questions about part ${n}.
agent part${n} {
  model = "gpt-4o-mini"
  system_prompt = "You help with part ${n}. The customer speaks \${ctx.user.language ?? "English"}."
  max_turns = 12
  temperature = 0.3
  memory = sliding_window(20)
  deadline = 10m

  // The order matters to the model.
  tool find : search {
    description = "Finds articles"
    input { query = tool_args.query limit = tool_args.limit ?? 5 locale = ctx.user.locale }
  }
  tool handOver : escalate {
    description = "Hands over to a person"
    input { reason = tool_args.reason, urgent = tool_args.priority == "high" }
  }

  exit_condition = tool_call("handOver") || tool_results.find.size() == 0 && turn > 3
}
`);
  }
  return agents.join('\n');
}

if (process.argv[1] === import.meta.filename && !measureLanguage()) process.exitCode = 1;
