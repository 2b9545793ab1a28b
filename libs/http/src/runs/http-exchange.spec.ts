import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, expect, it, vi } from 'vitest';
import { clientSignal, lastEventId, sendsJson, takeOver, wantsEventStream } from './http-exchange.js';

/** The part of a response that is looked at. */
class FakeResponse extends EventEmitter {
  writableFinished = false;
  destroyed = false;
  readonly headers = new Map<string, unknown>();

  setHeader(name: string, value: unknown): void {
    this.headers.set(name, value);
  }
}

const nodeResponse = (response: FakeResponse): ServerResponse => response as EventEmitter as ServerResponse;

describe('wantsEventStream', () => {
  it.each([
    ['text/event-stream', true],
    ['Text/Event-Stream', true],
    ['application/json, text/event-stream;q=0.9', true],
    ['application/json', false],
    ['*/*', false],
    [undefined, false],
  ])('%s: %s', (accept, expected) => {
    expect(wantsEventStream({ headers: { accept } })).toBe(expected);
  });
});

describe('lastEventId', () => {
  it.each([
    [{}, undefined],
    [{ 'last-event-id': '' }, undefined],
    [{ 'last-event-id': '17' }, '17'],
    [{ 'last-event-id': ['17', '18'] }, '17'],
  ])('of %j is %s', (headers, id) => {
    expect(lastEventId({ headers })).toBe(id);
  });
});

describe('sendsJson', () => {
  it.each([
    ['application/json', true],
    ['application/json; charset=utf-8', true],
    ['Application/JSON;charset=utf-8', true],
    ['application/vnd.api+json', true],
    ['application/x-www-form-urlencoded', false],
    ['multipart/form-data; boundary=application/json', false],
    ['text/plain; application/json', false],
    ['application/jsonl', false],
    [undefined, false],
  ])('%s: %s', (type, expected) => {
    expect(sendsJson({ headers: { 'content-type': type } })).toBe(expected);
  });
});

describe('takeOver', () => {
  it('gives an Express response as it is', () => {
    const response = nodeResponse(new FakeResponse());
    expect(takeOver(response)).toBe(response);
  });

  it('takes Node’s response from a Fastify reply, which then keeps out of it, with the headers set so far', () => {
    const response = new FakeResponse();
    const getHeaders = () => ({ vary: 'origin', 'set-cookie': ['a', 'b'], age: 0, gone: undefined });
    const reply = { raw: nodeResponse(response), hijack: vi.fn(), getHeaders };
    expect(takeOver(reply)).toBe(reply.raw);
    expect(reply.hijack).toHaveBeenCalledOnce();
    expect(Object.fromEntries(response.headers)).toEqual({
      vary: 'origin',
      'set-cookie': ['a', 'b'],
      age: 0,
    });
  });
});

describe('clientSignal', () => {
  it('aborts when the connection closes before the answer is sent', () => {
    const response = new FakeResponse();
    const signal = clientSignal(nodeResponse(response));
    expect(signal.aborted).toBe(false);
    response.emit('close');
    expect(signal).toMatchObject({
      aborted: true,
      reason: { name: 'AbortError', message: 'The client closed the connection.' },
    });
  });

  it('does not abort after the answer', () => {
    const response = new FakeResponse();
    const signal = clientSignal({ raw: nodeResponse(response), hijack() {}, getHeaders: () => ({}) });
    response.writableFinished = true;
    response.emit('close');
    expect([signal.aborted, response.listenerCount('close')]).toEqual([false, 0]);
  });

  it('is aborted for a client that has gone already', () => {
    const response = new FakeResponse();
    response.destroyed = true;
    expect(clientSignal(nodeResponse(response)).aborted).toBe(true);
  });
});
