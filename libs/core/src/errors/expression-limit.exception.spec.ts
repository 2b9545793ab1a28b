import { describe, expect, it } from 'vitest';
import { AgentException } from './agent.exception.js';
import { ExpressionLimitException, type ExpressionLimit } from './expression-limit.exception.js';

describe('ExpressionLimitException', () => {
  it.each<[ExpressionLimit, string, string]>([
    ['steps', 'more than 70 steps', 'do the work in a tool'],
    ['nesting', 'deeper than 70 levels', 'Split the expression'],
    ['text', 'a text of more than 70 characters', 'Shorten its parts'],
    ['output', 'a value of more than 70 characters', 'Name the fields'],
  ])('names the limit and the remedy: %s', (limit, what, remedy) => {
    const error = new ExpressionLimitException(limit, 70);
    expect(error).toBeInstanceOf(AgentException);
    expect(error).toMatchObject({ name: 'ExpressionLimitException', code: 'expression_limit', limit });
    expect(error.message).toContain(what);
    expect(error.message).toContain(remedy);
  });
});
