import type { NodeChannel } from '../channel/node.channel.js';
import type { StreamingOperator } from '../operators/operator.js';
import type { OperatorContext } from '../operators/operator.context.js';
import type { LlmProvider, LlmRequest, LlmStreamChunk } from './llm.provider.js';
import { onAbort } from '../cancellation/on-abort.js';
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
      for await (const chunk of this.#provider.streamChat({ ...request, signal: stop.signal })) {
        if (channel.closed) return;
        const room = channel.send(chunk);
        if (room) await room;
      }
    } catch (error) {
      if (!channel.signal.aborted || error !== channel.signal.reason) throw error;
    } finally {
      releases.forEach((release) => release());
    }
  }
}
