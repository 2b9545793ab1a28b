import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { invoked, literal } from '../../../../../test/support/expression-tree.js';

const call = (text: string, name: string, args: readonly (string | number | boolean | null)[]): unknown =>
  invoked(text, name, ...args.map((arg) => literal(arg)));

describe('methods of texts', () => {
  it.each([
    ['abc', 'length', [], 3],
    ['abc', 'size', [], 3],
    ['😀', 'length', [], 2],
    ['', 'isEmpty', [], true],
    [' ', 'isEmpty', [], false],
    ['abc', 'contains', ['bc'], true],
    ['abc', 'contains', ['BC'], false],
    ['abc', 'contains', [''], true],
    ['a.c', 'contains', ['.*'], false],
    ['abc', 'contains', [1], null],
    ['a1', 'contains', [null], null],
    ['abc', 'startsWith', ['ab'], true],
    ['abc', 'startsWith', ['bc'], false],
    ['abc', 'startsWith', [true], null],
    ['abc', 'endsWith', ['bc'], true],
    ['abc', 'endsWith', ['ab'], false],
    ['abc', 'endsWith', [null], null],
    ['abcb', 'indexOf', ['b'], 1],
    ['abc', 'indexOf', ['z'], -1],
    ['abc', 'indexOf', [2], null],
    ['ÀBc', 'toLowerCase', [], 'àbc'],
    ['àbC', 'toUpperCase', [], 'ÀBC'],
    ['ß', 'toUpperCase', [], 'SS'],
    ['\t a b\n', 'trim', [], 'a b'],
    ['a,b,,c', 'split', [','], ['a', 'b', '', 'c']],
    ['abc', 'split', [''], ['a', 'b', 'c']],
    ['a.b', 'split', ['.'], ['a', 'b']],
    ['', 'split', [','], ['']],
    ['abc', 'split', [null], null],
    ['abcdef', 'substring', [2], 'cdef'],
    ['abcdef', 'substring', [1, 3], 'bc'],
    ['abcdef', 'substring', [-2], 'ef'],
    ['abcdef', 'substring', [0, -1], 'abcde'],
    ['abcdef', 'substring', [4, 2], ''],
    ['abcdef', 'substring', [9], ''],
    ['abcdef', 'substring', ['1'], null],
    ['abcdef', 'substring', [1, null], null],
    ['abcdef', 'slice', [1, 3], 'bc'],
    ['abcdef', 'slice', [null], null],
    ['a-b-c', 'replace', ['-', '+'], 'a+b+c'],
    ['aaa', 'replace', ['aa', 'b'], 'ba'],
    ['abc', 'replace', ['', 'x'], 'abc'],
    ['abc', 'replace', ['b', '$&$1$$'], 'a$&$1$$c'],
    ['a.c', 'replace', ['.', ''], 'ac'],
    ['abc', 'replace', ['b', 1], null],
    ['abc', 'replace', [1, 'b'], null],
    ['12', 'toNumber', [], 12],
    [' -1.5e3 ', 'toNumber', [], -1500],
    ['', 'toNumber', [], null],
    [' ', 'toNumber', [], null],
    ['12a', 'toNumber', [], null],
    ['1,5', 'toNumber', [], null],
    ['Infinity', 'toNumber', [], null],
    ['NaN', 'toNumber', [], null],
    ['-0', 'toNumber', [], 0],
    ['abc', 'toString', [], 'abc'],
  ])('%j.%s(%j) = %j', (text, name, args, wanted) => {
    expect(call(text, name, args)).toEqual(wanted);
  });

  it('agree with JavaScript on any text', () => {
    const leaving = (made: string): string => made.toWellFormed();
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '😀', '\uD800', ' '), maxLength: 8 });
    const part = fc.string({ unit: fc.constantFrom('a', 'b', '😀'), minLength: 1, maxLength: 3 });
    const place = fc.integer({ min: -10, max: 10 });
    fc.assert(
      fc.property(text, part, part, place, place, (whole, one, other, start, end) => {
        expect(call(whole, 'contains', [one])).toBe(whole.includes(one));
        expect(call(whole, 'indexOf', [one])).toBe(whole.indexOf(one));
        expect(call(whole, 'split', [one])).toEqual(whole.split(one).map(leaving));
        expect(call(whole, 'replace', [one, other])).toBe(leaving(whole.replaceAll(one, () => other)));
        expect(call(whole, 'substring', [start, end])).toBe(leaving(whole.slice(start, end)));
        expect(call(whole, 'trim', [])).toBe(leaving(whole.trim()));
      }),
      { numRuns: Number(process.env.PROPERTY_RUNS ?? 200) },
    );
  });
});
