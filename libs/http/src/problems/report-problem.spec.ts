import { BadRequestException, Logger } from '@nestjs/common';
import { AgentException } from '@nestor/core';
import { expect, it, vi } from 'vitest';
import { toProblem } from './problem.js';
import { reportProblem } from './report-problem.js';

it.each([
  [
    'what the outside is not told, with its stack',
    new TypeError('inside'),
    'error',
    /^TypeError: inside\n +at /,
  ],
  ['also what is no error', 'thrown text', 'error', /^thrown text$/],
  [
    'a failure of others, in one line',
    new AgentException('No model.', { code: 'deadline' }),
    'warn',
    /^No model\.$/,
  ],
  [
    'what is away in one line, without the stack of its cause',
    new AgentException('No database.', { code: 'database_unavailable', cause: new Error('connect') }),
    'warn',
    /^No database\.$/,
  ],
] as const)('logs %s', (_, error, level, text) => {
  const logged = vi.spyOn(Logger.prototype, level).mockImplementation(() => {});
  expect(reportProblem(error)).toEqual(toProblem(error));
  expect(logged.mock.calls).toEqual([[expect.stringMatching(text)]]);
});

it('does not log what the client did wrong', () => {
  const logged = (['error', 'warn'] as const).map((level) => vi.spyOn(Logger.prototype, level));
  expect(reportProblem(new BadRequestException('No.')).status).toBe(400);
  expect(logged.flatMap(({ mock }) => mock.calls)).toEqual([]);
});
