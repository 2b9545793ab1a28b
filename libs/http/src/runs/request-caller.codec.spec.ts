import { expect, it } from 'vitest';
import { requestCallerCodec } from './request-caller.codec.js';

const roundTrip = (caller: unknown): { kept: string; restored: unknown } => {
  const kept = JSON.stringify(requestCallerCodec.serialize(caller));
  return { kept, restored: requestCallerCodec.restore(JSON.parse(kept)) };
};

it('keeps the user of a request, and nothing that lets somebody in', () => {
  const { kept, restored } = roundTrip({
    user: { id: 7, roles: ['admin'], since: new Date(0) },
    headers: { authorization: 'Bearer s3cret', cookie: 'sid=s3cret' },
    cookies: { sid: 's3cret' },
    body: { password: 's3cret' },
    socket: { self: undefined },
  });
  expect(kept).not.toContain('s3cret');
  expect(restored).toEqual({
    user: { id: 7, roles: ['admin'], since: '1970-01-01T00:00:00.000Z' },
    headers: {},
  });
});

it.each([{}, { user: undefined }, { user: null }, 'ann', null])('takes %j for nobody', (caller) => {
  expect(roundTrip(caller).restored).toEqual({ user: undefined, headers: {} });
});

it('keeps a user that refers to itself', () => {
  const user: Record<string, unknown> = { id: 7 };
  user['self'] = user;
  expect(roundTrip({ user }).restored).toMatchObject({ user: { id: 7 } });
});
