import {
  BadRequestException,
  ForbiddenException,
  HttpException,
  NotFoundException,
  ServiceUnavailableException,
  UnauthorizedException,
} from '@nestjs/common';
import { AgentAbortedException, AgentException, LlmException } from '@nestor/core';
import { describe, expect, it } from 'vitest';
import { toProblem } from './problem.js';

describe('the problem for an AgentException', () => {
  it.each([
    ['invalid_input', 400, 'Bad Request'],
    ['invalid_cursor', 400, 'Bad Request'],
    ['unknown_agent', 404, 'Not Found'],
    ['unknown_run', 404, 'Not Found'],
    ['session_busy', 409, 'Conflict'],
    ['session_conflict', 409, 'Conflict'],
    ['duplicate_run', 409, 'Conflict'],
    ['not_resumable', 409, 'Conflict'],
    ['max_turns', 422, 'Unprocessable Content'],
    ['budget', 422, 'Unprocessable Content'],
    ['loop_detected', 422, 'Unprocessable Content'],
    ['context_budget', 422, 'Unprocessable Content'],
    ['journal_off', 501, 'Not Implemented'],
    ['not_durable', 501, 'Not Implemented'],
    ['invalid_response', 502, 'Bad Gateway'],
    ['incomplete_stream', 502, 'Bad Gateway'],
    ['aborted', 503, 'Service Unavailable'],
    ['shutting_down', 503, 'Service Unavailable'],
    ['deadline', 504, 'Gateway Timeout'],
  ])('%s: %i %s, with its words', (code, status, title) => {
    expect(toProblem(new AgentException('What happened.', { code }))).toEqual({
      type: 'about:blank',
      title,
      status,
      code,
      detail: 'What happened.',
    });
  });

  it.each([
    'authentication',
    'rate_limit',
    'context_length',
    'content_filter',
    'invalid_request',
    'unavailable',
    'timeout',
    'incomplete_stream',
  ] as const)('a provider’s %s: 502, with the server’s words', (kind) => {
    expect(toProblem(new LlmException('It said no.', { kind }))).toMatchObject({
      status: 502,
      code: `llm_${kind}`,
      detail: 'It said no.',
    });
  });

  it.each(['connect', 'first_token', 'idle', 'total'] as const)(
    'a provider’s %s time-out: 502',
    (timeout) => {
      const error = new LlmException('Too slow.', { kind: 'timeout', timeout });
      expect(toProblem(error)).toMatchObject({
        status: 502,
        code: `timeout:${timeout}`,
        detail: 'Too slow.',
      });
    },
  );

  it.each(['error', 'unknown_operator', 'my_own', 'constructor', '__proto__'])(
    '%s: 500, which says nothing of the inside',
    (code) => {
      expect(toProblem(new AgentException('Secret.', { code }))).toEqual({
        type: 'about:blank',
        title: 'Internal Server Error',
        status: 500,
        code,
        detail: "The run failed; the server's log says why.",
      });
    },
  );

  it('names the run, once there is one', () => {
    const error = new AgentException('Over.', { code: 'deadline' });
    error.runId = 'r-1';
    error.checkpoint = { conversation: [], turnCount: 1, toolResults: {} };
    expect(toProblem(error)).toMatchObject({ runId: 'r-1' });
    expect(toProblem(error)).not.toHaveProperty('checkpoint');
  });
});

describe('the problem for what is away', () => {
  it.each([
    ['database_unavailable', 'The agent database does not answer.'],
    ['database_closed', 'This server is about to stop, and its database is closed.'],
    ['store_closed', 'This server is about to stop, and takes no more runs.'],
    ['journal_failed', 'The events of the run cannot be written to the journal, and it is strict.'],
  ])('%s: 503 with what to do, and nothing of where it is', (code, what) => {
    const error = new AgentException('connect ECONNREFUSED db-7.internal:5432', { code });
    error.runId = 'r-1';
    expect(toProblem(error)).toEqual({
      type: 'about:blank',
      title: 'Service Unavailable: Try Again Later',
      status: 503,
      code,
      detail: `${what} Try again in 5 seconds. Look first whether GET /runs/r-1 has the run already.`,
      runId: 'r-1',
      retryAfter: 5,
    });
    expect(toProblem(new AgentException('away', { code })).detail).toBe(`${what} Try again in 5 seconds.`);
  });
});

describe('the problem for a run that goes on elsewhere', () => {
  const left = (code: string): AgentException => new AgentException('Left.', { code });
  const ofRun = (error: AgentException): AgentException => Object.assign(error, { runId: 'r-1' });

  it.each([
    ['handed over', ofRun(new AgentAbortedException('desk', left('handed_over')))],
    ['taken over by somebody else', ofRun(new AgentAbortedException('desk', left('lease_lost')))],
    ['lost while it was written', ofRun(left('lease_lost'))],
    [
      'handed over, further down',
      ofRun(
        new AgentException('x', {
          code: 'error',
          cause: new AgentAbortedException('d', left('handed_over')),
        }),
      ),
    ],
  ])('%s: 503 that says where to follow it', (_, error) => {
    expect(toProblem(error)).toEqual({
      type: 'about:blank',
      title: 'Service Unavailable',
      status: 503,
      code: 'handed_over',
      detail:
        'This server has left the run, which goes on in another process. Do not start it again, but follow it: ' +
        'GET /runs/r-1 has its state and its answer, GET /runs/r-1/stream its chunks.',
      runId: 'r-1',
    });
  });

  it('is none for a run that was aborted here', () => {
    const error = ofRun(new AgentAbortedException('desk', left('shutting_down')));
    expect(toProblem(error)).toMatchObject({ status: 503, code: 'aborted' });
  });
});

describe('the problem for an exception of Nest', () => {
  it.each([
    [new BadRequestException('No.'), 400, 'bad_request', 'No.'],
    [
      new BadRequestException(['a must be a text', 'b is missing']),
      400,
      'bad_request',
      'a must be a text; b is missing',
    ],
    [new UnauthorizedException(), 401, 'unauthorized', 'Unauthorized'],
    [new ForbiddenException({ reason: 'x' }), 403, 'forbidden', 'Forbidden Exception'],
    [new NotFoundException('Cannot GET /x'), 404, 'not_found', 'Cannot GET /x'],
    [new HttpException('Short and stout.', 418), 418, 'error', 'Short and stout.'],
    [new HttpException({ message: 'Later.' }, 429), 429, 'too_many_requests', 'Later.'],
  ])('%s keeps its status and words', (error, status, code, detail) => {
    expect(toProblem(error)).toMatchObject({ status, code, detail });
  });

  it('keeps a status of 500 and above, but not its words', () => {
    expect(toProblem(new ServiceUnavailableException('db-7 is down'))).toEqual({
      type: 'about:blank',
      title: 'Service Unavailable',
      status: 503,
      code: 'service_unavailable',
      detail: 'The server failed; its log says why.',
    });
  });
});

describe('the problem for anything else', () => {
  it('a body parser’s error keeps its status', () => {
    const error = Object.assign(new Error('unsupported charset "X"'), { status: 415, statusCode: 415 });
    expect(toProblem(error)).toMatchObject({
      title: 'Unsupported Media Type',
      status: 415,
      code: 'unsupported_media_type',
      detail: 'unsupported charset "X"',
    });
  });

  it('a body that is too large is said in our words', () => {
    expect(toProblem({ status: 413 })).toMatchObject({
      status: 413,
      code: 'content_too_large',
      detail: 'The request body is larger than the limit of this server.',
    });
  });

  it.each([
    new Error('secret'),
    { status: 200 },
    { status: 700 },
    { statusCode: '404' },
    { getStatus: 404 },
    'secret',
    null,
    undefined,
  ])('%o: 500 without its words', (thrown) => {
    expect(toProblem(thrown)).toEqual({
      type: 'about:blank',
      title: 'Internal Server Error',
      status: 500,
      code: 'internal',
      detail: 'The server failed; its log says why.',
    });
  });

  it('an error without words is named after its status', () => {
    expect(toProblem({ status: 404 })).toMatchObject({ status: 404, detail: 'Not Found' });
  });
});
