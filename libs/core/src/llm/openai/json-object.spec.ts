import { expect, it } from 'vitest';
import { isJsonObject, textOf } from './json-object.js';

it('tells objects from everything else', () => {
  expect([{}, { a: 1 }].every(isJsonObject)).toBe(true);
  expect([null, undefined, [], 'text', 1, true].some(isJsonObject)).toBe(false);
});

it('takes strings for text and nothing else', () => {
  expect(['a', '', null, undefined, 1, {}, ['a']].map(textOf)).toEqual(['a', '', '', '', '', '', '']);
});
