import { expect, it } from 'vitest';
import { LlmException } from '../errors/llm.exception.js';
import { amendedException } from './amended-exception.js';

it('replaces what is given and keeps the rest, a deliberate "not retryable" too', () => {
  const cause = new Error('root');
  const error = new LlmException('no quota', {
    kind: 'rate_limit',
    status: 429,
    providerCode: 'insufficient_quota',
    retryable: false,
    cause,
  });
  const amended = amendedException(error, { message: 'no quota left', retryAfterMs: 5 });
  expect(amended).toMatchObject({
    message: 'no quota left',
    code: 'llm_rate_limit',
    status: 429,
    providerCode: 'insufficient_quota',
    retryable: false,
    retryAfterMs: 5,
    cause,
  });
  expect(amendedException(error, { cause: undefined }).cause).toBeUndefined();
});
