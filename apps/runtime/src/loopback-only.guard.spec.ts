import { type ExecutionContext, ForbiddenException } from '@nestjs/common';
import { describe, expect, it } from 'vitest';
import { LoopbackOnlyGuard } from './loopback-only.guard.js';

const guard = new LoopbackOnlyGuard();

function requestFor(host: string | undefined, type = 'http'): ExecutionContext {
  return {
    getType: () => type,
    switchToHttp: () => ({ getRequest: () => ({ headers: { host } }) }),
  } as ExecutionContext;
}

describe('LoopbackOnlyGuard', () => {
  it.each(['localhost', 'LOCALHOST:3000', '127.0.0.1:3000', '127.0.0.1', '[::1]:3000', '[::1]'])(
    'answers requests for %s',
    (host) => {
      expect(guard.canActivate(requestFor(host))).toBe(true);
    },
  );

  it.each([
    'evil.example',
    'evil.example:3000',
    '127.0.0.1.evil.example',
    'localhost.evil.example:80',
    '',
    undefined,
  ])('refuses a page that reached this machine as "%s"', (host) => {
    expect(() => guard.canActivate(requestFor(host))).toThrow(ForbiddenException);
  });

  it('lets tool calls pass', () => {
    expect(guard.canActivate(requestFor(undefined, 'agent'))).toBe(true);
  });
});
