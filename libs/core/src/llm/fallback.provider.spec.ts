import { describe, expect, it, vi } from 'vitest';
import { LlmException, type LlmErrorKind } from '../errors/llm.exception.js';
import { FallbackProvider } from './fallback.provider.js';
import type { LlmRequest } from './llm.provider.js';
import { ScriptedProvider, type ScriptedStep } from './scripted.provider.js';

const request: LlmRequest = { model: 'asked', messages: [{ role: 'user', content: 'hello' }] };
const failure = (kind: LlmErrorKind): LlmException => new LlmException(kind, { kind });

function two(step: ScriptedStep) {
  const first = new ScriptedProvider(() => step);
  const second = new ScriptedProvider(() => ({ text: 'from the second' }));
  return {
    first,
    second,
    both: new FallbackProvider([{ provider: first }, { provider: second, model: 'small' }]),
  };
}

async function textOf(provider: FallbackProvider): Promise<string> {
  let text = '';
  for await (const chunk of provider.streamChat(request)) if (chunk.type === 'token') text += chunk.text;
  return text;
}

describe('FallbackProvider', () => {
  it('asks the next one, with its own model, when one cannot answer', async () => {
    for (const kind of ['rate_limit', 'unavailable', 'timeout', 'incomplete_stream'] as const) {
      const { both, first, second } = two({ error: failure(kind) });
      expect((await both.chat(request)).message.content).toBe('from the second');
      expect(await textOf(both)).toBe('from the second');
      expect(first.requests.map(({ model }) => model)).toEqual(['asked', 'asked']);
      expect(second.requests.map(({ model }) => model)).toEqual(['small', 'small']);
    }
  });

  it('takes other errors for final', async () => {
    const total = new LlmException('too long', { kind: 'timeout', timeout: 'total' });
    for (const error of [failure('invalid_request'), failure('authentication'), total, new Error('a bug')]) {
      const { both, second } = two({ error });
      await expect(both.chat(request)).rejects.toBe(error);
      await expect(textOf(both)).rejects.toBe(error);
      expect(second.requests).toEqual([]);
    }
  });

  it('does not start again once something was delivered', async () => {
    const error = failure('incomplete_stream');
    const { both, second } = two({ tokens: ['half'], error });
    const stream = both.streamChat(request)[Symbol.asyncIterator]();
    expect(await stream.next()).toMatchObject({ value: { text: 'half' } });
    await expect(stream.next()).rejects.toBe(error);
    expect(second.requests).toEqual([]);
  });

  it('throws the last error when nobody can answer', async () => {
    const last = failure('rate_limit');
    const provider = new FallbackProvider([
      { provider: new ScriptedProvider(() => ({ error: failure('unavailable') })) },
      { provider: new ScriptedProvider(() => ({ error: last })) },
    ]);
    await expect(provider.chat(request)).rejects.toBe(last);
    const stream = provider.streamChat(request)[Symbol.asyncIterator]();
    await expect(stream.next()).rejects.toBe(last);
    expect(await stream.next()).toEqual({ value: undefined, done: true });
  });

  it('answers reads that were made at once in order', async () => {
    const { both } = two({ error: failure('unavailable') });
    const stream = both.streamChat(request)[Symbol.asyncIterator]();
    const reads = await Promise.all([stream.next(), stream.next(), stream.next()]);
    expect(reads.map(({ value }) => (value?.type === 'token' ? value.text : ''))).toEqual([
      'from ',
      'the ',
      'second',
    ]);
  });

  it('ends the inner stream when its consumer stops', async () => {
    const ended = vi.fn();
    const endless = {
      description: 'endless',
      chat: () => Promise.reject(failure('unavailable')),
      async *streamChat() {
        try {
          for (;;) yield { type: 'token', text: 'x' } as const;
        } finally {
          ended();
        }
      },
    };
    for await (const _ of new FallbackProvider([{ provider: endless }]).streamChat(request)) break;
    expect(ended).toHaveBeenCalledOnce();
  });

  it('describes its candidates, closes each provider once and wants at least one', async () => {
    const provider = new ScriptedProvider([]);
    const close = vi.fn(async () => {});
    const fallback = new FallbackProvider([
      { provider: Object.assign(provider, { close }) },
      { provider, model: 'small' },
    ]);
    await fallback.close();
    expect(close).toHaveBeenCalledOnce();
    expect(fallback.description).toBe(
      `fallback: ${provider.description}, then small of ${provider.description}`,
    );
    expect(() => new FallbackProvider([])).toThrow(
      'FallbackProvider needs at least one candidate, got none.',
    );
  });
});
