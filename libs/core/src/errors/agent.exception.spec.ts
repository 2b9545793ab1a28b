import { describe, expect, it } from 'vitest';
import { AgentAbortedException } from './agent-aborted.exception.js';
import { AgentDefinitionException } from './agent-definition.exception.js';
import { AgentException } from './agent.exception.js';
import { BudgetExceededException } from './budget-exceeded.exception.js';
import { ContextBudgetException } from './context-budget.exception.js';
import { DeadlineExceededException } from './deadline-exceeded.exception.js';
import { DuplicateOperatorException } from './duplicate-operator.exception.js';
import { InvalidResponseException } from './invalid-response.exception.js';
import { LlmException, type LlmErrorKind } from './llm.exception.js';
import { LoopDetectedException } from './loop-detected.exception.js';
import { MaxTurnsExceededException } from './max-turns-exceeded.exception.js';
import { SessionBusyException } from './session-busy.exception.js';
import { SessionConflictException } from './session-conflict.exception.js';
import { ToolException } from './tool.exception.js';
import { UnknownOperatorException } from './unknown-operator.exception.js';

const use = { maxTokens: 100, reservedTokens: 50, systemTokens: 30, turnTokens: 70 };

/** Each with its code, what it names, and what it advises. */
const FAMILY: readonly (readonly [AgentException, string, readonly string[], string])[] = [
  [
    new AgentDefinitionException('bot', ['maxTurns is 0; it must be >= 1.']),
    'invalid_definition',
    ['"bot"', 'maxTurns is 0'],
    'must be',
  ],
  [new MaxTurnsExceededException('bot', 7), 'max_turns', ['"bot"', '7 turns'], 'Raise maxTurns'],
  [
    new BudgetExceededException('bot', 1_200, 1_000),
    'budget',
    ['"bot"', '1200', '1000'],
    'Raise maxTotalTokens',
  ],
  [
    new ContextBudgetException(use),
    'context_budget',
    ['150 tokens', 'allows 100', '50 for', '30 for', '70 for'],
    'Raise token_budget to at least 150',
  ],
  [
    new LoopDetectedException('bot', 'ping', 5),
    'loop_detected',
    ['"bot"', '"ping"', '5 times'],
    'Raise repeatedCallLimit',
  ],
  [new DeadlineExceededException('bot', 300), 'deadline', ['"bot"', '300 ms'], 'Raise deadline'],
  [
    new InvalidResponseException('bot', [
      { path: 'mood', message: 'must be a string' },
      { path: '', message: 'must be an object' },
    ]),
    'invalid_response',
    ['"bot"', 'mood: must be a string; must be an object.'],
    'Loosen the schema',
  ],
  [
    new UnknownOperatorException('serch', ['search', 'pay'], 'agent "bot"'),
    'unknown_operator',
    ['"serch"', 'agent "bot"', 'search, pay'],
    'Did you mean "search"?',
  ],
  [
    new DuplicateOperatorException('pay', ['Bank.pay', 'Shop.pay']),
    'duplicate_operator',
    ['"pay"', 'Bank.pay', 'Shop.pay'],
    'another name',
  ],
  [new SessionBusyException('s-1'), 'session_busy', ['"s-1"'], "whenBusy: 'wait'"],
  [
    new SessionConflictException('s-1', 'it has 4 messages, not 2'),
    'session_conflict',
    ['"s-1"', 'it has 4 messages, not 2'],
    'Load it again',
  ],
];

describe('the family of AgentException', () => {
  it.each(FAMILY.map(([error, ...rest]) => [error.constructor.name, error, ...rest] as const))(
    '%s has its name, its code, the values and a remedy',
    (name, error, code, values, remedy) => {
      expect(error).toBeInstanceOf(AgentException);
      expect(error).toBeInstanceOf(Error);
      expect(error).toMatchObject({ name, code });
      expect(error.stack).toContain(`${name}: `);
      for (const value of values) expect(error.message).toContain(value);
      expect(error.message).toContain(remedy);
      expect(error.message).toMatch(/^[A-Z][^]*[.?]$/);
    },
  );

  it('tells its members apart by their codes', () => {
    expect(new Set(FAMILY.map(([, code]) => code)).size).toBe(FAMILY.length);
  });

  it('belongs to no run until it leaves one', () => {
    const error = new MaxTurnsExceededException('bot', 1);
    expect([error.runId, error.checkpoint]).toEqual([undefined, undefined]);
    error.runId = 'r';
    error.checkpoint = { conversation: [], turnCount: 1, toolResults: {} };
    expect(error).toMatchObject({ runId: 'r', checkpoint: { turnCount: 1 }, maxTurns: 1 });
  });
});

describe('AgentException', () => {
  it('keeps its cause, and has none where none is given', () => {
    const cause = new Error('inner');
    expect(new AgentException('Outer.', { code: 'x', cause }).cause).toBe(cause);
    expect(new AgentException('Outer.', { code: 'x' })).not.toHaveProperty('cause');
  });

  it('names a subclass of the application after it', () => {
    class PaymentException extends AgentException {}
    expect(new PaymentException('No.', { code: 'payment' })).toMatchObject({ name: 'PaymentException' });
  });
});

describe('the typed fields', () => {
  it('say what the message says', () => {
    expect(new AgentDefinitionException('bot', ['a']).agentId).toBe('bot');
    expect(new ContextBudgetException(use).use).toBe(use);
    expect(new SessionBusyException('s')).toMatchObject({ sessionId: 's' });
    expect(new SessionConflictException('s', 'x')).toMatchObject({ sessionId: 's' });
    expect(new UnknownOperatorException('a', ['b'])).toMatchObject({ operatorName: 'a', known: ['b'] });
    expect(new DuplicateOperatorException('a')).toMatchObject({ operatorName: 'a' });
    expect(new InvalidResponseException('a', [{ path: 'p', message: 'm' }]).issues).toEqual([
      { path: 'p', message: 'm' },
    ]);
  });

  it('are said also where little is known', () => {
    expect(new UnknownOperatorException('a', []).message).toBe(
      'Unknown operator "a": it is not registered. Known operators: none.',
    );
    expect(new DuplicateOperatorException('a').message).toMatch(/^Operator "a" is registered twice\. /);
  });
});

describe('AgentAbortedException', () => {
  it.each([
    ['cancelled by id', ': cancelled by id.'],
    [new Error('The client closed the connection.'), ': The client closed the connection.'],
    [new DOMException('This operation was aborted', 'AbortError'), ': This operation was aborted.'],
    [new Error(''), '.'],
    [undefined, '.'],
    [{ any: 'thing' }, '.'],
  ])('says the reason it was given and keeps it: %s', (reason, end) => {
    const error = new AgentAbortedException('bot', reason);
    expect(error).toMatchObject({ name: 'AgentAbortedException', code: 'aborted' });
    expect(error.cause).toBe(reason);
    expect(error.message).toBe(`The run of agent "bot" was aborted${end}`);
  });
});

describe('LlmException', () => {
  it.each<[LlmErrorKind, boolean]>([
    ['authentication', false],
    ['rate_limit', true],
    ['context_length', false],
    ['content_filter', false],
    ['invalid_request', false],
    ['unavailable', true],
    ['timeout', true],
    ['incomplete_stream', true],
  ])('%s: retryable %s, unless it is said otherwise', (kind, retryable) => {
    const error = new LlmException('It said no.', { kind });
    expect(error).toMatchObject({
      name: 'LlmException',
      code: `llm_${kind}`,
      kind,
      retryable,
      message: 'It said no.',
    });
    expect(new LlmException('No.', { kind, retryable: !retryable }).retryable).toBe(!retryable);
  });

  it.each([
    ['connect', true],
    ['first_token', true],
    ['idle', true],
    ['total', false],
  ] as const)('B110: a time-out says which limit ran out: %s, retryable %s', (timeout, retryable) => {
    const error = new LlmException('Too slow.', { kind: 'timeout', timeout });
    expect(error).toMatchObject({ code: `timeout:${timeout}`, kind: 'timeout', timeout, retryable });
  });

  it('keeps what the server said', () => {
    const said = {
      status: 400,
      providerCode: 'context_length_exceeded',
      providerType: 'invalid_request_error',
      retryAfterMs: 250,
      cause: new Error('inner'),
    };
    expect(new LlmException('Too long.', { kind: 'context_length', ...said })).toMatchObject(said);
  });
});

describe('ToolException', () => {
  it('is for the model: it is not of the family that stops a run', () => {
    const cause = new Error('inner');
    const error = new ToolException('denied', 'Not yours.', { cause });
    expect(error).not.toBeInstanceOf(AgentException);
    expect(error).toMatchObject({ name: 'ToolException', code: 'denied', message: 'Not yours.', cause });
  });
});

it('does not show the conversation to a logger', async () => {
  const { inspect } = await import('node:util');
  const error = new AgentException('failed', { code: 'custom' });
  error.checkpoint = {
    conversation: [{ role: 'user', content: 'my secret' }],
    turnCount: 1,
    toolResults: {},
  };
  expect(inspect(error, { depth: 10 })).not.toContain('my secret');
  expect(JSON.stringify(error)).not.toContain('my secret');
  expect(error.checkpoint.turnCount).toBe(1);
});
