/**
 * Stands where enhancers expect a response. Whatever is called on it does nothing and gives it back, so that a
 * filter written for HTTP can neither answer the client in the middle of a run nor fail for want of a method.
 */
export const INERT_RESPONSE: object = new Proxy(
  Object.freeze(() => INERT_RESPONSE),
  {
    get: (_, property) => {
      if (property === 'headersSent' || property === 'writableEnded') return true;
      // It must not look like a promise, nor turn into a primitive by calling itself.
      if (property === 'then' || typeof property === 'symbol') return undefined;
      return INERT_RESPONSE;
    },
  },
);
