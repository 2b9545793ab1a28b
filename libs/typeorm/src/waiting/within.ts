import { onAbort } from '@nestor/core';

/**
 * What a promise gives, if it does within some milliseconds.
 * @throws what `late` gives when the time is over, or the signal's reason; the promise is heard no more then
 */
export async function within<T>(
  ms: number,
  work: Promise<T>,
  late: () => Error,
  signal?: AbortSignal,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  let stopListening = (): void => {};
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(late()), ms);
    stopListening = onAbort(signal, () => reject(signal?.reason));
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
    stopListening();
  }
}
