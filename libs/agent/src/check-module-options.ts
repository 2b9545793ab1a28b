import { AgentException, didYouMean } from '@nestor/core';
import type { AgentModuleOptions, LlmOptions } from './agent-module.options.js';

/** Every option there is; the types keep the lists whole. */
const OPTIONS: Readonly<Record<keyof AgentModuleOptions, true>> = {
  llm: true,
  conversationStore: true,
  runStore: true,
  caller: true,
  approvals: true,
  database: true,
  leaseMs: true,
  tokenEstimator: true,
  summarizerFor: true,
  hideDeniedTools: true,
  whenBusy: true,
  shutdownGraceMs: true,
  watchAgents: true,
};
const LLM_OPTIONS: Readonly<Record<keyof LlmOptions, true>> = {
  model: true,
  fallbackModels: true,
  provider: true,
  baseUrl: true,
  apiKey: true,
  headers: true,
  profile: true,
  retry: true,
  timeouts: true,
  maxResponseBytes: true,
};

/**
 * Options may come from a factory or from plain JavaScript: what is misspelt would be ignored without a word.
 * @throws AgentException `invalid_options` naming the option and the nearest one.
 */
export function checkModuleOptions(options: unknown): asserts options is AgentModuleOptions {
  if (!isRecord(options))
    throw invalid(
      `the options are ${options === null ? 'null' : typeof options}; they must be an object, {} at least. What does the factory of forRootAsync return?`,
    );
  if ('agents' in options) {
    throw invalid(
      'agents came from the factory of forRootAsync. They decide which providers exist: put them beside useFactory.',
    );
  }
  checkKeys(options, Object.keys(OPTIONS), '');
  checkApprovals(options.approvals);
  if (options.llm === undefined) return;
  if (!isRecord(options.llm)) throw invalid('llm must be an object such as { model, baseUrl, apiKey }.');
  checkKeys(options.llm, Object.keys(LLM_OPTIONS), 'llm.');
}

/** What is misspelt here would let everybody decide. */
function checkApprovals(approvals: unknown): void {
  if (approvals === undefined) return;
  if (!isRecord(approvals)) throw invalid('approvals must be an object such as { authorize }.');
  checkKeys(approvals, ['authorize'], 'approvals.');
  if (approvals.authorize !== undefined && typeof approvals.authorize !== 'function')
    throw invalid('approvals.authorize must be a function that gives true for who may decide.');
}

function checkKeys(given: object, known: readonly string[], prefix: string): void {
  const unknown = Object.keys(given).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  throw invalid(
    `there is no option "${prefix}${unknown}".${didYouMean(unknown, known)} Options are ${known.join(', ')}.`,
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function invalid(problem: string): AgentException {
  return new AgentException(`AgentModule: ${problem}`, { code: 'invalid_options' });
}
