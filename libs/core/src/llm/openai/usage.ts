import type { LlmUsage } from '../llm-usage.js';
import { isJsonObject, type JsonObject } from './json-object.js';

/** Reads the `usage` object of a completion or a chunk; undefined if it holds no counts. */
export function parseUsage(usage: unknown): LlmUsage | undefined {
  if (!isJsonObject(usage)) return undefined;
  const prompt = count(usage.prompt_tokens);
  const completion = count(usage.completion_tokens);
  const total = count(usage.total_tokens);
  if (prompt === undefined && completion === undefined && total === undefined) return undefined;
  const promptTokens = prompt ?? 0;
  const completionTokens = completion ?? 0;
  return Object.freeze({
    promptTokens,
    completionTokens,
    totalTokens: total ?? promptTokens + completionTokens,
    cachedTokens: detail(usage.prompt_tokens_details, 'cached_tokens', promptTokens),
    reasoningTokens: detail(usage.completion_tokens_details, 'reasoning_tokens', completionTokens),
  });
}

/** A detail is a part of its whole, so it is never counted higher than that. */
function detail(details: unknown, name: keyof JsonObject, whole: number): number {
  return isJsonObject(details) ? Math.min(count(details[name]) ?? 0, whole) : 0;
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
