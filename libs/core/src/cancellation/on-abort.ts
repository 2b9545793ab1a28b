interface Hub {
  readonly callbacks: Set<() => void>;
  readonly handler: () => void;
}

const hubs = new WeakMap<AbortSignal, Hub>();

/**
 * Calls back when a signal aborts (at once if it already has) and gives the way to stop listening. All callers
 * share one listener per signal: a signal that serves hundreds of runs neither warns nor keeps anything.
 */
export function onAbort(signal: AbortSignal | undefined, callback: () => void): () => void {
  if (!signal) return () => {};
  if (signal.aborted) {
    callback();
    return () => {};
  }
  const hub = hubs.get(signal) ?? openHub(signal);
  // A function of its own keeps two registrations of one callback apart.
  const entry = (): void => callback();
  hub.callbacks.add(entry);
  return () => {
    if (hub.callbacks.delete(entry) && hub.callbacks.size === 0) closeHub(signal, hub);
  };
}

function openHub(signal: AbortSignal): Hub {
  const callbacks = new Set<() => void>();
  const handler = (): void => {
    closeHub(signal, hub);
    const pending = [...callbacks];
    callbacks.clear();
    for (const callback of pending) callback();
  };
  const hub: Hub = { callbacks, handler };
  hubs.set(signal, hub);
  signal.addEventListener('abort', handler);
  return hub;
}

function closeHub(signal: AbortSignal, hub: Hub): void {
  signal.removeEventListener('abort', hub.handler);
  if (hubs.get(signal) === hub) hubs.delete(signal);
}
