/** How long an application may take to start or to stop, in ms. */
const LONGEST_MS = 60_000;

/** Waits no longer than a minute. @throws Error then; the work itself goes on */
export async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it took more than ${LONGEST_MS / 1_000} s`)), LONGEST_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
