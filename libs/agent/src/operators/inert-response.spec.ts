import { isPromise } from 'node:util/types';
import { describe, expect, it } from 'vitest';
import { INERT_RESPONSE } from './inert-response.js';

/** As a filter sees it. */
const response = INERT_RESPONSE as {
  statusCode: unknown;
  length?: unknown;
  name?: unknown;
  headersSent: unknown;
  writableEnded: unknown;
  status(code: number): { json: unknown };
  raw: { end: unknown };
};

describe('the inert response', () => {
  it('takes any chain of calls and gives itself', () => {
    expect(response.status(500).json).toBe(INERT_RESPONSE);
    expect(response.raw.end).toBe(INERT_RESPONSE);
    expect(response.length).toBe(INERT_RESPONSE);
    expect(response.name).toBe(INERT_RESPONSE);
  });

  it('forgets what is set on it', () => {
    response.statusCode = 500;
    Object.defineProperty(response, 'locals', { value: 1, configurable: true });
    expect(delete response.name).toBe(true);
    expect(response.statusCode).toBe(INERT_RESPONSE);
    expect(Object.keys(response)).toEqual([]);
  });

  it('has been sent already', () => {
    expect(response.headersSent).toBe(true);
    expect(response.writableEnded).toBe(true);
    expect('status' in response).toBe(true);
  });

  it('can be awaited, logged, compared and turned to JSON', async () => {
    expect(await Promise.resolve(INERT_RESPONSE)).toBe(INERT_RESPONSE);
    expect(isPromise(INERT_RESPONSE)).toBe(false);
    expect(`status ${String(response.statusCode)}`).toBe('status ');
    expect(Number(response.statusCode) >= 400).toBe(false);
    expect(JSON.stringify({ response })).toBe('{}');
  });
});
