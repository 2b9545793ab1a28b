import { describe, expect, it } from 'vitest';
import { toErrorEvent, toProviderError } from './provider-error.js';

const error = (fields: object): unknown => ({ error: { message: 'm', ...fields } });

describe('the kind of an error', () => {
  it.each([
    ['authentication', { code: 'invalid_api_key' }, undefined],
    ['authentication', {}, 401],
    ['authentication', { type: 'permission_error' }, undefined],
    ['authentication', {}, 403],
    ['rate_limit', { code: 'rate_limit_exceeded' }, undefined],
    ['rate_limit', { message: 'Too many tokens, please wait.' }, 429],
    ['rate_limit', { code: 429 }, undefined],
    ['rate_limit', { status: 'RESOURCE_EXHAUSTED' }, undefined],
    ['context_length', { code: 'context_length_exceeded', type: 'invalid_request_error' }, 400],
    ['context_length', { message: "This model's maximum context length is 4096 tokens." }, 400],
    ['context_length', { message: 'Exceeds the context window.', type: 'invalid_request_error' }, undefined],
    ['context_length', { message: 'Too many tokens' }, 413],
    ['content_filter', { code: 'content_filter' }, 400],
    ['content_filter', { code: 'content_policy_violation' }, undefined],
    ['invalid_request', {}, 400],
    ['invalid_request', { code: 'model_not_found' }, 404],
    ['invalid_request', { code: 'model_not_found' }, undefined],
    ['invalid_request', {}, 413],
    ['invalid_request', {}, 422],
    ['invalid_request', { type: 'invalid_request_error' }, undefined],
    ['unavailable', {}, 408],
    ['unavailable', {}, 409],
    ['unavailable', {}, 500],
    ['unavailable', { type: 'invalid_request_error' }, 503],
    ['unavailable', { type: 'overloaded_error' }, 529],
    ['unavailable', { type: 'overloaded_error' }, undefined],
    ['unavailable', { code: '502' }, undefined],
    ['invalid_request', { status: 400 }, undefined],
    ['unavailable', {}, undefined],
  ])('is %s for %j with status %s', (kind, fields, status) => {
    expect(toProviderError(error(fields), status)?.kind).toBe(kind);
  });

  it.each([
    [true, error({ code: 'rate_limit_exceeded' }), 429],
    [true, error({}), 503],
    [true, error({}), 409],
    [false, error({ code: 'insufficient_quota' }), 429],
    [false, error({ type: 'insufficient_quota' }), 429],
    [false, error({}), 402],
    [false, error({}), 400],
    [false, error({}), 401],
    [false, error({ code: 'context_length_exceeded' }), 400],
  ])('retryable is %s for %j with status %s', (retryable, body, status) => {
    expect(toProviderError(body, status)?.retryable).toBe(retryable);
  });
});

describe('the shapes an error comes in', () => {
  it.each([
    [{ error: 'words' }],
    [{ error: { message: 'words' } }],
    [[{ error: { message: 'words' } }]],
    [{ object: 'error', message: 'words', type: 'BadRequestError', code: 400 }],
    [{ type: 'error', error: { type: 'overloaded_error', message: 'words' } }],
    [{ type: 'error', message: 'words' }],
    [{ error: { message: ' words\n' } }],
    [{ choices: [{ error: { message: 'words' } }] }],
  ])('%j is found', (body) => {
    expect(toProviderError(body)?.message).toMatch(/: words$/);
  });

  it.each([
    [{ choices: [] }],
    [{ error: null, choices: [] }],
    [{ error: {} }],
    [{ error: '' }],
    [{ error: false }],
    [{ message: 'no error' }],
    ['text'],
    [null],
    [undefined],
    [[]],
  ])('%j is none', (body) => {
    expect(toProviderError(body)).toBeUndefined();
    expect(toProviderError(body, 200)).toBeUndefined();
  });

  it.each([
    ['Bad gateway', 'Bad gateway'],
    [{ message: 'words' }, 'words'],
    [{ detail: 'Not Found' }, 'Not Found'],
    [{ detail: [{ loc: ['body'], msg: 'field required' }] }, '[{"loc":["body"],"msg":"field required"}]'],
    [{}, '{}'],
    ['', 'it gave no message.'],
    [undefined, 'it gave no message.'],
  ])('a failed request is always an error, whatever its body: %j', (body, words) => {
    expect(toProviderError(body, 500)).toMatchObject({
      kind: 'unavailable',
      status: 500,
      message: `The model server answered with an error (HTTP 500): ${words}`,
    });
  });

  it('an error event is one whatever its data', () => {
    for (const data of ['words', { message: 'words' }, { error: 'words' }, { error: { message: 'words' } }]) {
      expect(toErrorEvent(data).message).toMatch(/: words$/);
    }
    expect(toErrorEvent(null)).toMatchObject({ kind: 'unavailable', retryable: true });
  });
});

describe('what an error keeps', () => {
  it('the codes and types of the server, the status and the wait', () => {
    const body = error({ code: 'rate_limit_exceeded', type: 'tokens' });
    expect(toProviderError(body, 429, 2000)).toMatchObject({
      code: 'llm_rate_limit',
      status: 429,
      providerCode: 'rate_limit_exceeded',
      providerType: 'tokens',
      retryAfterMs: 2000,
    });
    const plain = toProviderError(error({}), 500);
    expect([plain?.providerCode, plain?.providerType, plain?.retryAfterMs]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('the words of the server with a remedy where there is one', () => {
    expect(toProviderError(error({ code: 'invalid_api_key' }), 401)?.message).toBe(
      'The model server answered with an error (HTTP 401, invalid_api_key): m ' +
        'Check the API key and what it may use.',
    );
  });

  it('a code that is the status once', () => {
    expect(toProviderError(error({ code: 400 }), 400)?.message).toBe(
      'The model server answered with an error (HTTP 400): m',
    );
  });

  it('at most 2,000 characters of them, well-formed', () => {
    const message = toProviderError({ error: `${'x'.repeat(1999)}🔥${'y'.repeat(5000)}` })!.message;
    expect(message).toContain(`${'x'.repeat(1999)}\ufffd…`);
    expect(message).not.toContain('y');
  });

  it('a body nested deeper than can be written still gives an error', () => {
    const deep: unknown = JSON.parse(`${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`);
    expect(toProviderError({ error: deep })?.kind).toBe('unavailable');
  });
});
