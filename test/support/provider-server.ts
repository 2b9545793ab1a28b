import { inspect } from 'node:util';
import { onTestFinished } from 'vitest';
import { LlmException } from '../../libs/core/src/errors/llm.exception.js';
import {
  OpenAiProvider,
  type OpenAiProviderOptions,
} from '../../libs/core/src/llm/openai/openai.provider.js';
import type { LlmRequest, LlmStreamChunk } from '../../libs/core/src/llm/llm.provider.js';
import { LoopbackServer, type LoopbackHandler } from './loopback-server.js';

export const REQUEST: LlmRequest = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };

/** A server and a provider that talks to it, for the length of a test. */
export async function serveProvider(handler: LoopbackHandler, options: OpenAiProviderOptions = {}) {
  const server = await LoopbackServer.start(handler);
  const provider = new OpenAiProvider({ baseUrl: server.url, ...options });
  onTestFinished(async () => {
    await provider.close();
    await server.stop();
  });
  return { server, provider };
}

/** The same, and a stream that asks as soon as it is read. */
export async function serveStream(handler: LoopbackHandler, options: OpenAiProviderOptions = {}) {
  const served = await serveProvider(handler, options);
  return { ...served, stream: served.provider.streamChat(REQUEST) };
}

/** What a stream gave. */
export interface StreamRead {
  readonly tokens: string[];
  readonly finishes: Extract<LlmStreamChunk, { type: 'finish' }>[];
  readonly error: any;
}

export async function readStream(stream: AsyncIterable<LlmStreamChunk>): Promise<StreamRead> {
  const tokens: string[] = [];
  const finishes: StreamRead['finishes'] = [];
  try {
    for await (const chunk of stream) {
      if (chunk.type === 'token') tokens.push(chunk.text);
      if (chunk.type === 'finish') finishes.push(chunk);
    }
  } catch (error) {
    return { tokens, finishes, error };
  }
  return { tokens, finishes, error: undefined };
}

/** The error an answer fails with. */
export async function failureOf(answer: Promise<unknown>): Promise<LlmException> {
  const error = await answer.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof LlmException)) throw new Error(`expected an LlmException, got ${inspect(error)}`);
  return error;
}

/** One turn of the event loop. */
export function endOfTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
