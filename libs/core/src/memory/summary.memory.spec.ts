import { afterEach, describe, expect, it, vi } from 'vitest';
import type { LlmMessage } from '../messages/llm-message.js';
import type { Summarizer } from './summarizer.js';
import { SummaryMemory } from './summary.memory.js';

const request = { reservedTokens: 0, signal: new AbortController().signal };
const system: LlmMessage = { role: 'system', content: 'Be brief.' };
const user = (content: string): LlmMessage => ({ role: 'user', content });
const says = (content: string): LlmMessage => ({ role: 'assistant', content });
const calls = (id: string): LlmMessage => ({
  role: 'assistant',
  content: null,
  reasoning: 'I should look it up.',
  toolCalls: [{ id, name: 'look', arguments: '{}' }],
});
const result = (id: string): LlmMessage => ({ role: 'tool', content: `result of ${id}`, toolCallId: id });
const talk = (from: number, to: number): LlmMessage[] =>
  Array.from({ length: to - from + 1 }, (_, i) =>
    (from + i) % 2 ? user(`m${from + i}`) : says(`m${from + i}`),
  );
const texts = (messages: readonly LlmMessage[]): unknown[] => messages.map(({ content }) => content);

const listing = (): Summarizer =>
  vi.fn<Summarizer>(async (messages, { previous }) =>
    [previous, ...texts(messages)].filter(Boolean).join(' '),
  );

function memoryOf(initial: readonly LlmMessage[], keep: number, summarizer?: Summarizer, timeoutMs = 1000) {
  const logger = { log: vi.fn(), warn: vi.fn(), error: vi.fn() };
  return { logger, memory: new SummaryMemory(initial, keep, { summarizer, logger, timeoutMs }) };
}

describe('SummaryMemory', () => {
  it('asks for nothing while everything fits', () => {
    const summarizer = listing();
    const { memory } = memoryOf([system, ...talk(1, 4)], 4, summarizer);
    expect(memory.view(request)).toEqual([system, ...talk(1, 4)]);
    expect(summarizer).not.toHaveBeenCalled();
  });

  it('shows what fell out of the window as one system message after the leading ones', async () => {
    const late: LlmMessage = { role: 'system', content: 'It is Monday.' };
    const [first, ...others] = talk(1, 7);
    const { memory } = memoryOf([system, first!, late, ...others], 4, listing());
    const shown = await memory.view(request);
    expect(texts(shown)).toEqual([
      'Be brief.',
      'Summary of the conversation so far:\nm1 m2 m3',
      'It is Monday.',
      'm4',
      'm5',
      'm6',
      'm7',
    ]);
    expect(shown[1]?.role).toBe('system');
    expect(memory.messages()).toEqual([system, first, late, ...others]);
  });

  it('extends the summary with what fell out since, once that is half a window', async () => {
    const summarizer = vi.mocked(listing());
    const { memory } = memoryOf([system, ...talk(1, 5)], 4, summarizer);
    const first = await memory.view(request);
    expect(await memory.view(request)).toEqual(first);
    memory.append(says('m6'));
    expect(texts(await memory.view(request)).slice(2)).toEqual(['m2', 'm3', 'm4', 'm5', 'm6']);
    expect(summarizer).toHaveBeenCalledTimes(1);
    memory.append(user('m7'));
    const extended = await memory.view(request);
    expect(texts(extended)).toEqual([
      'Be brief.',
      'Summary of the conversation so far:\nm1 m2 m3',
      'm4',
      'm5',
      'm6',
      'm7',
    ]);
    expect(summarizer).toHaveBeenLastCalledWith(
      [says('m2'), user('m3')],
      expect.objectContaining({ previous: 'm1' }),
    );
    expect((await memory.view(request))[1]).toBe(extended[1]);
  });

  it('B86: leaves the open turn and its reasoning alone', async () => {
    const [question, asks, answer] = [user('q'), calls('a'), result('a')];
    const summarizer = vi.mocked(listing());
    const { memory } = memoryOf([system, ...talk(1, 2), question, asks, answer], 1, summarizer);
    const shown = await memory.view(request);
    expect(shown).toHaveLength(5);
    for (const [index, message] of [question, asks, answer].entries()) expect(shown[index + 2]).toBe(message);
    expect(shown[3]?.reasoning).toBe('I should look it up.');
    expect(summarizer.mock.lastCall?.[0]).toEqual(talk(1, 2));
  });

  it('summarises a group as a whole', async () => {
    const summarizer = vi.mocked(listing());
    const history = [user('q'), calls('a'), result('a'), says('x'), user('r')];
    const { memory } = memoryOf(history, 3, summarizer);
    expect((await memory.view(request)).slice(1)).toEqual([says('x'), user('r')]);
    expect(summarizer.mock.lastCall?.[0]).toEqual(history.slice(0, 3));
  });

  it('gives the summary in well-formed text', async () => {
    const { memory } = memoryOf(talk(1, 3), 1, async () => 'cut in half: \ud83d');
    expect((await memory.view(request))[0]?.content?.isWellFormed()).toBe(true);
  });

  it('is a window with one warning without a summarizer', async () => {
    const { memory, logger } = memoryOf([system, ...talk(1, 4)], 4);
    await memory.view(request);
    expect(logger.warn).not.toHaveBeenCalled();
    for (const message of talk(5, 6)) {
      memory.append(message);
      expect(await memory.view(request)).toHaveLength(5);
    }
    expect(logger.warn).toHaveBeenCalledTimes(1);
    expect(logger.warn).toHaveBeenCalledWith(expect.stringContaining('summary(4) has no summarizer'));
  });

  it('refuses to keep less than one message', () => {
    expect(() => memoryOf([], 0)).toThrow('must be an integer >= 1, got 0');
  });
});

describe('SummaryMemory, when a summary fails', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it.each<[string, Summarizer]>([
    ['rejects', async () => Promise.reject(new Error('429 Too Many Requests'))],
    [
      'throws',
      () => {
        throw new Error('429 Too Many Requests');
      },
    ],
    ['is empty', async () => ''],
    ['rejects with nothing', async () => Promise.reject(undefined)],
  ])('B80: shows the window and tries again when it %s', async (_, failing) => {
    const summarizer = vi.fn(listing()).mockImplementationOnce(failing);
    const { memory, logger } = memoryOf([system, ...talk(1, 6)], 4, summarizer);
    expect(await memory.view(request)).toEqual([system, ...talk(3, 6)]);
    expect(logger.warn).toHaveBeenCalledTimes(1);
    expect(memory.messages()).toEqual([system, ...talk(1, 6)]);
    expect(texts(await memory.view(request)).slice(0, 2)).toEqual([
      'Be brief.',
      'Summary of the conversation so far:\nm1 m2',
    ]);
    expect(logger.warn).toHaveBeenCalledTimes(1);
    expect(summarizer.mock.calls[1]?.[0]).toEqual(talk(1, 2));
  });

  it('B80: shows the window when it takes too long', async () => {
    vi.useFakeTimers();
    const { memory, logger } = memoryOf(talk(1, 6), 4, () => new Promise(() => {}), 5000);
    const view = memory.view(request);
    await vi.advanceTimersByTimeAsync(5000);
    expect(await view).toEqual(talk(3, 6));
    expect(logger.warn).toHaveBeenCalledWith(expect.stringContaining('No summary came within 5000 ms.'));
  });

  it('B80: keeps the last good summary when an extension fails', async () => {
    const summarizer = vi.fn(listing());
    const { memory } = memoryOf(talk(1, 5), 4, summarizer);
    await memory.view(request);
    for (const message of talk(6, 7)) memory.append(message);
    summarizer.mockImplementationOnce(async () => Promise.reject(new Error('stream broke')));
    const kept = 'Summary of the conversation so far:\nm1';
    expect(texts(await memory.view(request))).toEqual([kept, 'm4', 'm5', 'm6', 'm7']);
    expect(texts(await memory.view(request))[0]).toBe(`${kept} m2 m3`);
  });

  it('rejects with the reason when the run is aborted, and nothing is lost', async () => {
    const controller = new AbortController();
    const summarizer = vi.fn(listing()).mockImplementationOnce(
      (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('summarizer stopped')));
        }),
    );
    const { memory, logger } = memoryOf(talk(1, 6), 4, summarizer);
    const view = memory.view({ reservedTokens: 0, signal: controller.signal });
    const reason = new Error('client is gone');
    controller.abort(reason);
    await expect(view).rejects.toBe(reason);
    expect(logger.warn).not.toHaveBeenCalled();
    expect(texts(await memory.view(request))[0]).toBe('Summary of the conversation so far:\nm1 m2');
  });
});
