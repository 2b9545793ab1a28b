import type { AnswerStep } from '@nestor/core';
import type { RunChange } from './run-lease.js';

/** What a run has used up to an answer. Written as sums, not as additions: a write may be repeated. */
export interface RunTotals {
  readonly turn: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly totalTokens: number;
  readonly llmCalls: number;
  readonly toolCalls: number;
}

export const NO_TOTALS: RunTotals = {
  turn: 0,
  promptTokens: 0,
  completionTokens: 0,
  totalTokens: 0,
  llmCalls: 0,
  toolCalls: 0,
};

export function withAnswer(totals: RunTotals, { turn, response, calls }: AnswerStep): RunTotals {
  return {
    turn,
    promptTokens: totals.promptTokens + (response.usage?.promptTokens ?? 0),
    completionTokens: totals.completionTokens + (response.usage?.completionTokens ?? 0),
    totalTokens: totals.totalTokens + (response.usage?.totalTokens ?? 0),
    llmCalls: totals.llmCalls + 1,
    toolCalls: totals.toolCalls + calls.length,
  };
}

export function totalsChange(totals: RunTotals): RunChange {
  return {
    sql:
      ', turn = ?, total_prompt_tokens = ?, total_completion_tokens = ?, total_tokens = ?, ' +
      'total_llm_calls = ?, total_tool_calls = ?',
    values: [
      totals.turn,
      totals.promptTokens,
      totals.completionTokens,
      totals.totalTokens,
      totals.llmCalls,
      totals.toolCalls,
    ],
  };
}
