import { LlmException } from '../errors/llm.exception.js';
import type { LlmProvider, LlmRequest, LlmResponse, LlmStreamChunk } from './llm.provider.js';

export interface FallbackCandidate {
  readonly provider: LlmProvider;
  /** The model asked of this provider. Default: the request's. */
  readonly model?: string | undefined;
}

/**
 * Providers in order of preference. The next one is asked when one is at its rate limit, unavailable, silent or
 * breaks off, as long as nothing of its answer was delivered. Other errors, and a total time-out, are final.
 */
export class FallbackProvider implements LlmProvider {
  readonly description: string;
  readonly #candidates: readonly FallbackCandidate[];

  /** @throws RangeError without a candidate. */
  constructor(candidates: readonly FallbackCandidate[]) {
    if (candidates.length === 0)
      throw new RangeError('FallbackProvider needs at least one candidate, got none.');
    this.#candidates = candidates;
    this.description = `fallback: ${candidates.map(describe).join(', then ')}`;
  }

  async chat(request: LlmRequest): Promise<LlmResponse> {
    return firstThatWorks(this.#candidates, ({ provider, model }) =>
      provider.chat(model ? { ...request, model } : request),
    );
  }

  streamChat(request: LlmRequest): AsyncIterable<LlmStreamChunk> {
    return { [Symbol.asyncIterator]: () => new FallbackStream(this.#candidates, request) };
  }

  /** Closes each provider; @throws AggregateError of those that failed to. */
  async close(): Promise<void> {
    const providers = new Set(this.#candidates.map(({ provider }) => provider));
    const results = await Promise.allSettled([...providers].map((provider) => provider.close?.()));
    const failures = results.flatMap((result) =>
      result.status === 'rejected' ? [result.reason as unknown] : [],
    );
    if (failures.length > 0) throw new AggregateError(failures, 'Providers failed to close.');
  }
}

/** Once a first chunk has come, its stream is read directly. */
class FallbackStream implements AsyncIterator<LlmStreamChunk, undefined> {
  readonly #candidates: readonly FallbackCandidate[];
  readonly #request: LlmRequest;
  #chunks: AsyncIterator<LlmStreamChunk> | undefined;
  #first: Promise<IteratorResult<LlmStreamChunk, undefined>> | undefined;
  #delivered = false;

  constructor(candidates: readonly FallbackCandidate[], request: LlmRequest) {
    this.#candidates = candidates;
    this.#request = request;
  }

  next(): Promise<IteratorResult<LlmStreamChunk, undefined>> {
    if (this.#delivered && this.#chunks) return this.#chunks.next();
    if (!this.#first) return (this.#first = this.#begin());
    return this.#first.then(
      () => this.#chunks?.next() ?? END,
      () => END,
    );
  }

  async return(): Promise<IteratorResult<LlmStreamChunk, undefined>> {
    await this.#chunks?.return?.();
    return END;
  }

  async #begin(): Promise<IteratorResult<LlmStreamChunk, undefined>> {
    const first = await firstThatWorks(this.#candidates, ({ provider, model }) => {
      const stream = provider.streamChat(model ? { ...this.#request, model } : this.#request);
      this.#chunks = stream[Symbol.asyncIterator]();
      return this.#chunks.next();
    });
    this.#delivered = true;
    return first;
  }
}

const END: IteratorReturnResult<undefined> = { value: undefined, done: true };

async function firstThatWorks<T>(
  candidates: readonly FallbackCandidate[],
  ask: (candidate: FallbackCandidate) => Promise<T>,
): Promise<T> {
  for (const [index, candidate] of candidates.entries()) {
    try {
      return await ask(candidate);
    } catch (error) {
      if (index === candidates.length - 1 || !anotherMayHelp(error)) throw error;
    }
  }
  throw new RangeError('FallbackProvider needs at least one candidate, got none.');
}

function anotherMayHelp(error: unknown): boolean {
  if (!(error instanceof LlmException)) return false;
  const { kind, timeout } = error;
  if (kind === 'timeout') return timeout !== 'total';
  return kind === 'rate_limit' || kind === 'unavailable' || kind === 'incomplete_stream';
}

function describe({ provider, model }: FallbackCandidate): string {
  return model ? `${model} of ${provider.description}` : provider.description;
}
