interface Subscription {
  readonly callbacks: Set<() => void>;
  readonly listener: () => void;
}

const subscriptions = new WeakMap<AbortSignal, Subscription>();

/**
 * Calls back when the signal aborts; at once if it already has. However many wait for one signal, it has one
 * listener, so that many calls under one signal raise no warning of a leak.
 * @returns ends the waiting; the signal's listener goes with the last one.
 */
export function onAbort(signal: AbortSignal | undefined, callback: () => void): () => void {
  if (!signal) return nothing;
  if (signal.aborted) {
    callback();
    return nothing;
  }
  const subscription = subscriptions.get(signal) ?? subscribe(signal);
  const { callbacks, listener } = subscription;
  callbacks.add(callback);
  return () => {
    callbacks.delete(callback);
    if (callbacks.size > 0 || subscriptions.get(signal) !== subscription) return;
    subscriptions.delete(signal);
    signal.removeEventListener('abort', listener);
  };
}

function subscribe(signal: AbortSignal): Subscription {
  const callbacks = new Set<() => void>();
  const listener = (): void => {
    subscriptions.delete(signal);
    for (const callback of callbacks) callback();
  };
  signal.addEventListener('abort', listener, { once: true });
  const subscription = { callbacks, listener };
  subscriptions.set(signal, subscription);
  return subscription;
}

function nothing(): void {}
