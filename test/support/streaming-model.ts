import type { LlmProvider, LlmStreamChunk } from '@nestor/core';
import { deferred } from './scripted-agent.js';

export interface StreamingModel {
  readonly provider: LlmProvider;
  /** Resolves when a call is over, whatever way. */
  readonly ended: Promise<void>;
}

/** A model that streams what `answer` yields. */
export function streamingModel(
  answer: (signal: AbortSignal) => AsyncIterable<LlmStreamChunk>,
): StreamingModel {
  const ended = deferred();
  return {
    ended: ended.promise,
    provider: {
      description: 'a test',
      chat: () => Promise.reject(new Error('This model only streams.')),
      async *streamChat({ signal = new AbortController().signal }) {
        try {
          yield* answer(signal);
        } finally {
          ended.resolve();
        }
      },
    },
  };
}

/** A model that sends one token, and then nothing until its call is aborted. */
export function stuckModel(): StreamingModel {
  return streamingModel(async function* (signal) {
    yield tokenChunk('Well');
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
  });
}

/** A model that sends one token, and ends when it may. */
export function haltingModel(mayEnd: Promise<void>): StreamingModel {
  return streamingModel(async function* () {
    yield tokenChunk('Well');
    await mayEnd;
    yield {
      type: 'finish',
      response: { message: { role: 'assistant', content: 'Well' }, finishReason: 'stop' },
    };
  });
}

export function tokenChunk(text: string): LlmStreamChunk {
  return { type: 'token', text };
}
