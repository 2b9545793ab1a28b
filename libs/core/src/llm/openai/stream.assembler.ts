import { LlmException } from '../../errors/llm.exception.js';
import { wellFormed } from '../../messages/well-formed.js';
import type { LlmStreamChunk } from '../llm.provider.js';
import { AnswerBuilder } from './answer.builder.js';
import { parseExactJson } from '../../operators/exact-json.js';
import { isJsonObject } from './json-object.js';
import { toErrorEvent, toProviderError } from './provider-error.js';

/** How much of an event that is no JSON is quoted in the error. */
const QUOTED_CHARACTERS = 80;

/**
 * Turns the events of one streamed chat completion into chunks: text and reasoning as they come, then one `finish`.
 * Tool calls come with the `finish` alone, since arguments that look complete may still go on.
 *
 * A stream is whole when it gave a finish reason, whether or not `[DONE]` followed. With `[DONE]` alone the reason
 * is told from the message: `tool_calls` if every call's arguments are complete JSON, `stop` if there is text.
 * Anything else is `incomplete_stream`, never a short answer.
 */
export class StreamAssembler {
  readonly #emit: (chunk: LlmStreamChunk) => void;
  readonly #answer: AnswerBuilder;
  #done = false;
  #ended = false;

  constructor(emit: (chunk: LlmStreamChunk) => void) {
    this.#emit = emit;
    this.#answer = new AnswerBuilder(emit);
  }

  /** True once `[DONE]` has come: the rest of the body is of no interest. */
  get done(): boolean {
    return this.#done;
  }

  /** True once any text, reasoning or part of a tool call has come. */
  get sawContent(): boolean {
    return this.#answer.contentCount > 0;
  }

  /** Grows with each event that brought text, reasoning or a part of a tool call. */
  get contentCount(): number {
    return this.#answer.contentCount;
  }

  /**
   * Takes one SSE event. Events with a name of their own, and JSON that is no chat chunk, are passed over.
   *
   * @throws LlmException for an error object or an `error` event; `incomplete_stream` for data that is no JSON.
   */
  event(data: string, event: string | undefined): void {
    if (this.#done) return;
    let chunk: unknown;
    try {
      chunk = JSON.parse(data);
      if (holdsArgumentObject(chunk)) chunk = parseExactJson(data);
    } catch {
      this.#takeText(data.trim(), event);
      return;
    }
    if (event === 'error') throw toErrorEvent(chunk);
    if (!isJsonObject(chunk)) return;
    if (isOrdinary(event)) {
      const error = toProviderError(chunk);
      if (error) throw error;
    } else if (!Array.isArray(chunk.choices)) {
      return;
    }
    this.#answer.take(chunk);
  }

  /**
   * The body has ended: emits `finish`. Further calls do nothing.
   *
   * @throws LlmException `incomplete_stream` when the answer is not whole.
   */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    const response = this.#answer.finish(this.#done);
    if (response) {
      this.#emit({ type: 'finish', response });
      return;
    }
    throw new LlmException(
      this.#done
        ? 'The model server closed its stream with [DONE] but gave no finish reason and no complete answer.'
        : 'The stream of the model server ended without a finish reason and without [DONE], so the answer is incomplete.',
      { kind: 'incomplete_stream' },
    );
  }

  #takeText(text: string, event: string | undefined): void {
    if (event === 'error') throw toErrorEvent(text);
    if (text.startsWith('[DONE]')) {
      // Gateways mix streams: the end of a named one is not the end of this one.
      this.#done = isOrdinary(event) || event === 'done';
      return;
    }
    // Once the finish reason is known only counts can follow: a broken rest does not undo the answer.
    if (text === '' || !isOrdinary(event) || this.#answer.finishReason !== undefined) return;
    const quoted = wellFormed(text.slice(0, QUOTED_CHARACTERS));
    throw new LlmException(
      `The stream of the model server holds an event that is not JSON, or was cut within one: "${quoted}".`,
      { kind: 'incomplete_stream' },
    );
  }
}

/** Whether a tool call's arguments came as an object, whose large integers `JSON.parse` has rounded by now. */
function holdsArgumentObject(chunk: unknown): boolean {
  if (!isJsonObject(chunk) || !Array.isArray(chunk.choices)) return false;
  for (const choice of chunk.choices) {
    const delta: unknown = isJsonObject(choice) ? (choice.delta ?? choice.message) : undefined;
    if (isJsonObject(delta) && Array.isArray(delta.tool_calls) && delta.tool_calls.some(hasObject))
      return true;
  }
  return false;
}

function hasObject(entry: unknown): boolean {
  return isJsonObject(entry) && isJsonObject(entry.function) && isJsonObject(entry.function.arguments);
}

function isOrdinary(event: string | undefined): boolean {
  return event === undefined || event === 'message';
}
