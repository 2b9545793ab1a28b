const nothing = (): string => '';

/**
 * Stands where enhancers expect a response. Whatever is called on it does nothing and gives it back, and what is set
 * on it is forgotten, so that a filter written for HTTP can neither answer the client in the middle of a run nor fail
 * for want of a method. As a text it is empty, as a number 0.
 */
export const INERT_RESPONSE: object = new Proxy(() => INERT_RESPONSE, {
  get: (_, property) => {
    if (property === 'headersSent' || property === 'writableEnded') return true;
    if (property === Symbol.toPrimitive) return nothing;
    // It must not look like a promise.
    if (property === 'then' || typeof property === 'symbol') return undefined;
    return INERT_RESPONSE;
  },
  // Fastify's adapter takes a response without "status" for a raw one and builds a reply of its own round it.
  has: (_, property) => typeof property === 'string',
  // What is set goes through here too.
  defineProperty: () => true,
  deleteProperty: () => true,
});
