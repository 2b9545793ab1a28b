import type { LlmMessage } from '../messages/llm-message.js';
import type { Summarizer } from './summarizer.js';

export interface SummaryRequestOptions {
  readonly previous: string | undefined;
  readonly signal: AbortSignal;
  /** In ms, > 0. */
  readonly timeoutMs: number;
}

/**
 * Asks for one summary. It ends in time also if the summarizer does not heed its signal.
 * @throws the signal's reason when it aborts, an Error when the time is up or the summary is empty, and whatever
 * the summarizer throws.
 */
export async function requestSummary(
  summarizer: Summarizer,
  messages: readonly LlmMessage[],
  { previous, signal, timeoutMs }: SummaryRequestOptions,
): Promise<string> {
  signal.throwIfAborted();
  const controller = new AbortController();
  const onAbort = (): void => controller.abort(signal.reason);
  const onTimeout = (): void => controller.abort(new Error(`No summary came within ${timeoutMs} ms.`));
  const timer = setTimeout(onTimeout, timeoutMs);
  signal.addEventListener('abort', onAbort, { once: true });
  // Async, so that what is thrown at once is a rejection of a promise that is waited for.
  const ask = async (): Promise<unknown> => summarizer(messages, { previous, signal: controller.signal });
  try {
    const text = await Promise.race([aborted(controller.signal), ask()]);
    if (typeof text === 'string' && text.trim() !== '') return text;
    throw new Error('The summarizer gave no text.');
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
