import type { NodeChannel } from '../channel/node.channel.js';
import type { StreamingOperator } from '../operators/operator.js';
import type { OperatorContext } from '../operators/operator.context.js';
import type { LlmProvider, LlmRequest, LlmStreamChunk } from './llm.provider.js';
import { onAbort } from '../cancellation/on-abort.js';
import type { PollableIterator } from './chunk.queue.js';
import { modelRequest, type LlmChatOperatorOptions } from './model-request.js';

/** The operator `llmStreamingChat`: one model call whose chunks go to the channel, no faster than it takes them. */
export class LlmStreamingChatOperator implements StreamingOperator<LlmRequest, LlmStreamChunk> {
  readonly streaming = true;
  readonly metadata = { kind: 'model', description: 'Calls a chat model and streams its answer.' } as const;
  readonly #provider: LlmProvider;
  readonly #options: LlmChatOperatorOptions;

  constructor(provider: LlmProvider, options: LlmChatOperatorOptions = {}) {
    this.#provider = provider;
    this.#options = options;
  }

  /** Returns early, without an error, when the channel's consumer stops. @throws LlmException, or the signal's reason. */
  async execute(
    input: LlmRequest,
    channel: NodeChannel<LlmStreamChunk>,
    context: OperatorContext,
  ): Promise<void> {
    const request = modelRequest(input, this.#options, context);
    // Not `AbortSignal.any`: a signal that outlives many calls is to keep nothing of them.
    const stop = new AbortController();
    const releases = [request.signal, channel.signal].map((signal) =>
      onAbort(signal, () => stop.abort(signal?.reason)),
    );
    try {
      await forward(this.#provider.streamChat({ ...request, signal: stop.signal }), channel);
    } catch (error) {
      if (!channel.signal.aborted || error !== channel.signal.reason) throw error;
    } finally {
      releases.forEach((release) => release());
    }
  }
}

/** Sends each chunk on. Chunks that have come already are taken without a promise for each. */
async function forward(
  chunks: AsyncIterable<LlmStreamChunk>,
  channel: NodeChannel<LlmStreamChunk>,
): Promise<void> {
  const iterator: AsyncIterator<LlmStreamChunk> & Partial<Pick<PollableIterator<LlmStreamChunk>, 'poll'>> =
    chunks[Symbol.asyncIterator]();
  for await (const first of { [Symbol.asyncIterator]: () => iterator }) {
    for (let chunk: LlmStreamChunk | undefined = first; chunk; chunk = iterator.poll?.()) {
      if (channel.closed) return;
      const room = channel.send(chunk);
      if (room) await room;
    }
  }
}
