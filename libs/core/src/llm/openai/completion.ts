import { LlmException } from '../../errors/llm.exception.js';
import type { LlmResponse } from '../llm.provider.js';
import { AnswerBuilder } from './answer.builder.js';
import { isJsonObject } from './json-object.js';
import { toProviderError } from './provider-error.js';

export { toProviderError } from './provider-error.js';
export { parseUsage } from './usage.js';

/**
 * Reads the whole body of a chat completion that was not streamed, with the leniency of the streamed one. A
 * missing finish reason is told from the message.
 *
 * @param json the parsed body; parsed by `parseExactJson`, argument objects keep the digits of large integers.
 * @throws LlmException of the matching kind for an error object, `unavailable` for a body without an answer.
 */
export function parseCompletion(json: unknown): LlmResponse {
  const error = toProviderError(json);
  if (error) throw error;
  if (!isJsonObject(json) || !Array.isArray(json.choices)) {
    throw noAnswer('has no list of choices: is the base URL that of an OpenAI-compatible API?');
  }
  if (json.choices.length === 0) throw noAnswer('has an empty list of choices.');
  const answer = new AnswerBuilder(() => {});
  answer.take(json);
  const response = answer.finish(true);
  if (response === undefined) throw noAnswer('gives no finish reason and no complete message.');
  // What a filter blocked may have no message at all; anything else without one would pass for an empty answer.
  if (response.finishReason !== 'content_filter' && !json.choices.some(hasMessage)) {
    throw noAnswer('has no message.');
  }
  return response;
}

function hasMessage(choice: unknown): boolean {
  return isJsonObject(choice) && (isJsonObject(choice.message) || isJsonObject(choice.delta));
}

function noAnswer(what: string): LlmException {
  return new LlmException(`The model server answered with a body that is no answer: it ${what}`, {
    kind: 'unavailable',
  });
}
