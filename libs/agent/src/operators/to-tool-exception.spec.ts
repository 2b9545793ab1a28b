import {
  BadRequestException,
  ForbiddenException,
  HttpException,
  NotFoundException,
  UnauthorizedException,
  UnprocessableEntityException,
} from '@nestjs/common';
import { AgentException, ToolException } from '@nestor/core';
import { describe, expect, it } from 'vitest';
import { toToolException } from './to-tool-exception.js';

describe('toToolException', () => {
  it.each([
    [
      new BadRequestException(['a must be a text', 'b must be set']),
      'invalid_arguments',
      'a must be a text; b must be set',
    ],
    [new UnprocessableEntityException('No such month.'), 'invalid_arguments', 'No such month.'],
    [new UnauthorizedException(), 'denied', 'Unauthorized'],
    [new ForbiddenException('Not yours.'), 'denied', 'Not yours.'],
    [new NotFoundException('No order 7.'), 'failed', 'No order 7.'],
    [new HttpException('Plain text.', 418), 'failed', 'Plain text.'],
    [new HttpException({ message: { nested: true } }, 500), 'failed', 'Http Exception'],
  ])('tells the model what %s means', (error, code, message) => {
    const told = toToolException(error);
    expect(told).toBeInstanceOf(ToolException);
    expect(told).toMatchObject({ code, message, cause: error });
  });

  it.each([
    new Error('x'),
    new AgentException('x', { code: 'x' }),
    new ToolException('limit', 'x'),
    'text',
    undefined,
  ])('leaves %s as it is', (error) => {
    expect(toToolException(error)).toBe(error);
  });
});
