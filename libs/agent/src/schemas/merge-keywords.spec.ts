import { expect, it } from 'vitest';
import { mergeKeywords } from './merge-keywords.js';

it('takes the narrower bound and type', () => {
  expect(
    mergeKeywords([
      { type: 'number', minimum: 1 },
      { type: 'integer', minimum: 3, maximum: 9 },
      { type: 'number', maximum: 7 },
    ]),
  ).toEqual({ type: 'integer', minimum: 3, maximum: 7 });
});

it('tells in words what one keyword cannot hold twice', () => {
  const parts = [
    { pattern: '^a' },
    { pattern: 'b$' },
    { pattern: '^a', enum: ['ab'] },
    { enum: ['ab', 'acb'] },
  ];
  expect(mergeKeywords(parts)).toEqual({
    pattern: '^a',
    enum: ['ab'],
    description: '(pattern: b$) (enum: ["ab","acb"])',
  });
});
