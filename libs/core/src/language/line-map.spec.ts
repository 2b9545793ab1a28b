import { expect, it } from 'vitest';
import { LineMap } from './line-map.js';

const places = (source: string): string[] => {
  const lines = new LineMap(source);
  return Array.from({ length: source.length + 1 }, (_, offset) => {
    const { line, column } = lines.position(offset);
    return `${line}:${column}`;
  });
};

it.each<[string, string[]]>([
  ['', ['1:1']],
  ['a\nb', ['1:1', '1:2', '2:1', '2:2']],
  ['\r\n\r\n', ['1:1', '1:2', '2:1', '2:2', '3:1']],
  ['a\rb\n', ['1:1', '1:2', '2:1', '2:2', '3:1']],
  ['\uFEFFab', ['1:1', '1:1', '1:2', '1:3']],
  ['🙂b', ['1:1', '1:2', '1:3', '1:4']],
  ['a\u2028b', ['1:1', '1:2', '1:3', '1:4']],
])('counts lines and UTF-16 columns of %j', (source, expected) => {
  expect(places(source)).toEqual(expected);
});

it('takes what is outside for the ends', () => {
  const lines = new LineMap('ab\nc');
  expect(lines.position(-5)).toEqual({ line: 1, column: 1 });
  expect(lines.position(99)).toEqual({ line: 2, column: 2 });
});

it.each<[string, string[]]>([
  ['', ['']],
  ['a\r\nbc\r\rd\n', ['a', 'bc', '', 'd', '']],
  ['\uFEFFa\n', ['a', '']],
])('gives the lines of %j without their breaks', (source, expected) => {
  const lines = new LineMap(source);
  expect(lines.lineCount).toBe(expected.length);
  const texts = expected.map((_, n) => {
    const { start, end } = lines.lineSpan(n + 1);
    return source.slice(start, end);
  });
  expect(texts).toEqual(expected);
});
