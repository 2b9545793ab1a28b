/** @throws RangeError unless the size is an integer >= 1. */
export function checkedMemorySize(what: string, size: number): number {
  if (Number.isSafeInteger(size) && size >= 1) return size;
  throw new RangeError(`${what} must be an integer >= 1, got ${String(size)}.`);
}
