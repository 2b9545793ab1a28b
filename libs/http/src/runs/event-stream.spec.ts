import { once } from 'node:events';
import { get, type IncomingMessage, type ServerResponse } from 'node:http';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { LoopbackServer } from '../../../../test/support/loopback-server.js';
import { deferred } from '../../../../test/support/scripted-agent.js';
import { EventStream } from './event-stream.js';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const close of closing.splice(0)) await close();
});

/** A response of a real server, and what its client got. */
async function exchange(
  prepare: (response: ServerResponse) => unknown = () => {},
  after?: number,
): Promise<{
  readonly response: ServerResponse;
  readonly events: EventStream;
  readonly client: IncomingMessage;
}> {
  const opened = deferred<{ response: ServerResponse; events: EventStream }>();
  const server = await LoopbackServer.start((response) => {
    prepare(response);
    opened.resolve({ response, events: new EventStream(response, after) });
  });
  const request = get(server.url);
  request.on('error', () => {}); // a cut connection is part of some tests
  const [client] = (await once(request, 'response')) as [IncomingMessage];
  closing.push(() => server.stop());
  return { ...(await opened.promise), client };
}

async function textOf(client: IncomingMessage): Promise<string> {
  let text = '';
  client.setEncoding('utf8');
  for await (const piece of client) text += piece;
  return text;
}

describe('EventStream', () => {
  it('opens at once, with headers that keep proxies from holding events back', async () => {
    const { client, events } = await exchange((response) => response.setHeader('x-own', 'kept'));
    expect([client.statusCode, client.headers]).toMatchObject([
      200,
      {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-cache, no-transform',
        'x-accel-buffering': 'no',
        'x-own': 'kept',
      },
    ]);
    events.close();
  });

  it('writes id, event and data as one line each', async () => {
    const { client, events } = await exchange();
    expect(events.send('token', { text: 'a\nb\r\u2028"' })).toBeUndefined();
    expect(events.send('done', null)).toBeUndefined();
    events.close();
    expect(await textOf(client)).toBe(
      'id: 1\nevent: token\ndata: {"text":"a\\nb\\r\u2028\\""}\n\nid: 2\nevent: done\ndata: null\n\n',
    );
  });

  it('takes ids that are given, and counts on from them', async () => {
    const { client, events } = await exchange();
    void events.send('a', 1, 41);
    void events.send('b', 2);
    events.close();
    expect(await textOf(client)).toBe('id: 41\nevent: a\ndata: 1\n\nid: 42\nevent: b\ndata: 2\n\n');
  });

  it('counts on from what the client has, and may leave an event without a number', async () => {
    const { client, events } = await exchange(undefined, 7);
    void events.send('error', 1, null);
    void events.send('b', 2);
    events.close();
    expect(await textOf(client)).toBe('event: error\ndata: 1\n\nid: 8\nevent: b\ndata: 2\n\n');
  });

  it('sends a comment every ten seconds until it is closed', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const { client, events, response } = await exchange();
    const write = vi.spyOn(response, 'write');
    vi.advanceTimersByTime(9_999);
    expect(write).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    void events.send('token', 1);
    vi.advanceTimersByTime(10_000);
    events.close();
    expect(vi.getTimerCount()).toBe(0);
    expect(await textOf(client)).toBe(': keep-alive\n\nid: 1\nevent: token\ndata: 1\n\n: keep-alive\n\n');
  });

  it('does nothing for a client that has gone, heartbeats included', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const { client, events, response } = await exchange();
    client.destroy();
    await once(response, 'close');
    expect(events.send('token', 1)).toBeUndefined();
    vi.advanceTimersByTime(30_000);
    events.close();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('when the client is behind', () => {
  const piece = 'x'.repeat(64 * 1024);
  /** Writes until the client does not keep up. */
  function fill(events: EventStream): Promise<void> {
    for (;;) {
      const behind = events.send('token', piece);
      if (behind) return behind;
    }
  }

  it('waits until it has caught up, and leaves no listener behind', async () => {
    const { client, events, response } = await exchange();
    const listeners = (): number[] => ['drain', 'close'].map((event) => response.listenerCount(event));
    const before = listeners();
    const behind = fill(events);
    client.resume();
    await behind;
    expect(listeners()).toEqual(before);
    events.close();
  });

  it('stops waiting when it goes away', async () => {
    const { client, events } = await exchange();
    const behind = fill(events);
    client.destroy();
    await behind;
    expect(events.send('token', 1)).toBeUndefined();
    events.close();
  });

  it('sends a large event whole, without a comment in the middle', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const { client, events } = await exchange();
    const text = '\u00fc\u{1f600}'.repeat(2 ** 20);
    const sent = events.send('token', text);
    vi.advanceTimersByTime(10_000);
    const received = textOf(client);
    await sent;
    events.close();
    expect(await received).toBe(`id: 1\nevent: token\ndata: "${text}"\n\n`);
  });

  /** As if thirty seconds passed, but for a moment. */
  const almostThirtySeconds = (): unknown => vi.advanceTimersByTime(29_999);

  it('cuts it off when it takes nothing for thirty seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { events, response } = await exchange();
    const behind = fill(events);
    almostThirtySeconds();
    expect(response.destroyed).toBe(false);
    vi.advanceTimersByTime(1);
    await behind;
    expect(response.destroyed).toBe(true);
    events.close();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('waits on for one that takes little by little, also of one large event', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { client, events, response } = await exchange();
    const sent = events.send('token', piece.repeat(256));
    const received: number[] = [];
    client.on('data', (bytes: Buffer) => {
      // A minute and more passes while it is read, but never without anything taken.
      if (received.push(bytes.length) % 32 === 0) vi.advanceTimersByTime(2_000);
    });
    await sent;
    expect(response.destroyed).toBe(false);
    expect(received.length / 32).toBeGreaterThan(15);
    events.close();
    await once(client, 'close');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('cuts it off also when the stream has ended', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { events, response } = await exchange();
    void fill(events);
    events.close();
    const closed = once(response, 'close');
    almostThirtySeconds();
    expect(response.destroyed).toBe(false);
    vi.advanceTimersByTime(1);
    await closed;
    expect(vi.getTimerCount()).toBe(0);
  });
});
