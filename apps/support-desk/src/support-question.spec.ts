import { BadRequestException } from '@nestjs/common';
import { describe, expect, it } from 'vitest';
import { parseSupportQuestion } from './support-question.js';

describe('parseSupportQuestion', () => {
  it('takes a message with and without a session', () => {
    expect(parseSupportQuestion({ message: ' Hello ' })).toEqual({ message: 'Hello' });
    expect(parseSupportQuestion({ message: 'Hello', session: 's1' })).toEqual({
      message: 'Hello',
      session: 's1',
    });
  });

  it.each([
    [undefined],
    ['text'],
    [{}],
    [{ message: '   ' }],
    [{ message: 7 }],
    [{ message: 'a', session: '' }],
  ])('refuses %j', (body) => {
    expect(() => parseSupportQuestion(body)).toThrow(BadRequestException);
  });

  it('names every field that is wrong', () => {
    const refused = () => parseSupportQuestion({ message: '', session: 5 });
    expect(refused).toThrow(
      expect.objectContaining({
        response: expect.objectContaining({
          message: [expect.stringMatching(/^message: /), expect.stringMatching(/^session: /)],
        }),
      }),
    );
  });
});
