import { AgentException, didYouMean } from '@nestor/core';
import type { AgentRunOptions } from './agent-run-options.js';

/** Every option there is; the type keeps the list whole. `input` is that of `resume`. */
const OPTIONS: Readonly<Record<keyof AgentRunOptions | 'input', true>> = {
  sessionId: true,
  caller: true,
  context: true,
  signal: true,
  traceparent: true,
  runId: true,
  listeners: true,
  maxTurns: true,
  whenBusy: true,
  input: true,
};

/** @throws AgentException `invalid_input` naming the option, its value and what it must be. */
export function checkRunOptions(options: AgentRunOptions): void {
  const known = Object.keys(OPTIONS);
  const unknown = Object.keys(options).find((key) => !known.includes(key));
  if (unknown !== undefined) {
    throw invalid(
      `There is no run option "${unknown}".${didYouMean(unknown, known)} Options are ${known.join(', ')}.`,
    );
  }
  const { sessionId, runId, whenBusy, context } = options;
  checkText('sessionId', sessionId);
  checkText('runId', runId);
  if (whenBusy !== undefined && whenBusy !== 'wait' && whenBusy !== 'refuse') {
    throw invalid(`whenBusy is ${show(whenBusy)}; it must be "wait" or "refuse".`);
  }
  if (context !== undefined && (typeof context !== 'object' || context === null || Array.isArray(context))) {
    throw invalid(`context is ${show(context)}; it must be an object, the ctx of definitions.`);
  }
}

function checkText(field: string, value: unknown): void {
  if (value === undefined || (typeof value === 'string' && value !== '')) return;
  throw invalid(`${field} is ${show(value)}; it must be a text that is not empty.`);
}

function show(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}

function invalid(message: string): AgentException {
  return new AgentException(message, { code: 'invalid_input' });
}
