import type { IncomingMessage, ServerResponse } from 'node:http';

/** A response as Express or Fastify gives it. */
export type PlatformResponse = ServerResponse | FastifyReply;

interface FastifyReply {
  readonly raw: ServerResponse;
  getHeaders(): Readonly<Record<string, number | string | string[] | undefined>>;
  hijack(): unknown;
}

/** A request as Express or Fastify gives it. */
export type PlatformRequest = Pick<IncomingMessage, 'headers'>;

/** Node's own response, for those who write to it themselves; the headers set so far are on it. */
export function takeOver(response: PlatformResponse): ServerResponse {
  if (!('hijack' in response)) return response;
  response.hijack();
  for (const [name, value] of Object.entries(response.getHeaders())) {
    if (value !== undefined) response.raw.setHeader(name, value);
  }
  return response.raw;
}

/** Aborts when the client goes away before it is answered. */
export function clientSignal(response: PlatformResponse): AbortSignal {
  const raw = 'hijack' in response ? response.raw : response;
  const controller = new AbortController();
  const onClose = (): void => {
    if (!raw.writableFinished)
      controller.abort(new DOMException('The client closed the connection.', 'AbortError'));
  };
  // Guards and pipes may have taken longer than the client waited.
  if (raw.destroyed) onClose();
  else raw.once('close', onClose);
  return controller.signal;
}

/** True if the body was sent as JSON. A form is not: any page on the web may send one to any server. */
export function sendsJson(request: PlatformRequest): boolean {
  return /^application\/(?:[^;\s]+\+)?json\s*(?:;|$)/i.test(request.headers['content-type'] ?? '');
}

/** How far a client that comes again got before: the id of the last event it has. */
export function lastEventId(request: PlatformRequest): string | undefined {
  const id = request.headers['last-event-id'];
  return (Array.isArray(id) ? id[0] : id) || undefined;
}

/** True if the client wants the id of its run at once, and no answer (RFC 7240). */
export function prefersAsync(request: PlatformRequest): boolean {
  const { prefer } = request.headers;
  return /(?:^|,)\s*respond-async\s*(?:[,;]|$)/i.test(String(prefer ?? ''));
}

/** True if the client would rather have events than one JSON answer. */
export function wantsEventStream(request: PlatformRequest): boolean {
  return (request.headers.accept ?? '').toLowerCase().includes('text/event-stream');
}
