import { describe, expect, it } from 'vitest';
import { WireErrors } from './wire-errors.js';
describe('what a server repeats of a key', () => {
  const key = 'sk-secret-a-12345678';
  const exchange = { status: 401, headers: {}, contentType: 'application/json' };

  it.each([key, 'sk-secre*****5678', 'sk-***', '****5678', `x${key}y`])('is hidden: %s', (echoed) => {
    const body = JSON.stringify({
      error: { message: `Incorrect API key provided: ${echoed}.`, code: 'invalid_api_key' },
    });
    const error = new WireErrors('http://x/v1', [key]).ofStatus(exchange, body);
    expect(error.kind).toBe('authentication');
    expect(JSON.stringify([error.message, error.stack, error])).not.toMatch(/secre|5678/);
    expect(error.message).toContain('Incorrect API key provided');
  });

  it('leaves other words with stars alone', () => {
    const error = new WireErrors('http://x/v1', [key]).ofStatus(
      exchange,
      '{"error":{"message":"use **bold** or a***z"}}',
    );
    expect(error.message).toContain('use **bold** or a***z');
  });
});
