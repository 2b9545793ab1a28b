import type { AgentOutput, ExitReason } from '@nestor/core';
import { callsOfRun, type MadeCall } from './calls-of-run.js';
import type { MatcherContext, MatcherResult } from './matcher-context.js';

/** What `agentMatchers` add to `expect(output)`. */
export interface AgentMatchers<R = unknown> {
  /**
   * This run called the tool, whatever came of it.
   * @param args what the arguments of one call hold at least, as with `toMatchObject`. Default: any.
   */
  toHaveCalledTool(name: string, args?: object): R;
  /** The answer is this text, or the expression is found in it. */
  toHaveAnswered(answer: string | RegExp): R;
  /** The run ended for this reason. */
  toHaveExited(reason: ExitReason): R;
  /**
   * A call of the tool gave this to the model: a text, or what its JSON holds at least. Dates are texts there, and
   * the result of a call that failed is `{ error: { code, message } }`.
   */
  toHaveToolResult(name: string, value: unknown): R;
}

type MatcherFunctions = {
  readonly [Name in keyof AgentMatchers]: (
    this: MatcherContext,
    received: unknown,
    ...expected: Parameters<AgentMatchers[Name]>
  ) => MatcherResult;
};

/** Matchers for the output of a run: `expect.extend(agentMatchers)`, in vitest and jest alike. */
export const agentMatchers = {
  toHaveCalledTool(received, name, args) {
    const calls = callsOfRun(outputOf(received));
    const pass = calls.some(
      (call) => call.name === name && (args === undefined || holds(this, call.args, args)),
    );
    const what = args === undefined ? name : `${name} with ${this.utils.stringify(args)}`;
    return { pass, message: () => `Expected the run ${not(pass)}to call ${what}.\n${callList(calls)}` };
  },

  toHaveAnswered(received, answer) {
    const { content } = outputOf(received);
    const isPattern = answer instanceof RegExp;
    const pass = isPattern ? content.search(answer) >= 0 : this.equals(content, answer);
    const expected = isPattern ? `match ${String(answer)}` : `be ${this.utils.stringify(answer)}`;
    return {
      pass,
      message: () =>
        `Expected the answer ${not(pass)}to ${expected}.\nIt is: ${this.utils.stringify(content)}`,
    };
  },

  toHaveExited(received, reason) {
    const { exitReason } = outputOf(received);
    const pass = exitReason === reason;
    return {
      pass,
      message: () =>
        `Expected the run ${not(pass)}to exit with "${reason}".\nIt exited with "${exitReason}".`,
    };
  },

  toHaveToolResult(received, name, value) {
    const calls = callsOfRun(outputOf(received));
    const called = calls.filter((call) => call.name === name);
    const pass = called.some(({ resultText }) => resultText !== undefined && gives(this, resultText, value));
    return {
      pass,
      message: () =>
        `Expected ${name} ${not(pass)}to give ${this.utils.stringify(value)}.\n` +
        (called.length > 0 ? resultList(called) : `It was not called. ${callList(calls)}`),
    };
  },
} satisfies MatcherFunctions;

function outputOf(received: unknown): AgentOutput {
  if (isOutput(received)) return received;
  const got = received instanceof Promise ? 'a promise: await it first' : typeof received;
  throw new TypeError(
    `This matcher takes the output of an agent's run, as run(...) and stream(...).output() give it; got ${got}.`,
  );
}

/** Also the JSON of an output, as an HTTP client gets it. */
function isOutput(value: unknown): value is AgentOutput {
  if (typeof value !== 'object' || value === null) return false;
  const { messages, exitReason, turnsUsed } = value as Partial<Record<keyof AgentOutput, unknown>>;
  return Array.isArray(messages) && typeof exitReason === 'string' && typeof turnsUsed === 'number';
}

function holds(context: MatcherContext, actual: unknown, expected: unknown): boolean {
  return context.equals(actual, expected, [context.utils.subsetEquality]);
}

/** A text may look like JSON without being meant as such. */
function gives(context: MatcherContext, resultText: string, expected: unknown): boolean {
  if (holds(context, resultText, expected)) return true;
  try {
    return holds(context, JSON.parse(resultText), expected);
  } catch {
    return false;
  }
}

function not(pass: boolean): string {
  return pass ? 'not ' : '';
}

function callList(calls: readonly MadeCall[]): string {
  if (calls.length === 0) return 'The run called no tool.';
  return `Calls:\n${calls.map(({ name, argumentsText }) => `  ${name} ${excerpt(argumentsText)}`).join('\n')}`;
}

function resultList(calls: readonly MadeCall[]): string {
  return `Results:\n${calls.map(({ resultText = '(none yet)' }) => `  ${excerpt(resultText)}`).join('\n')}`;
}

function excerpt(text: string): string {
  return text.length > 500 ? `${text.slice(0, 500)}…` : text;
}
