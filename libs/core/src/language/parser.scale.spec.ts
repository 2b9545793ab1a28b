import { expect, it } from 'vitest';
import { LineMap } from './line-map.js';
import { parse, parseFile } from './parser.js';
import { TokenStream } from './parsing/token-stream.js';
import { renderDiagnostic } from './render-diagnostic.js';

const SIZE = 5_000_000;

it.each<[string, string]>([
  ['braces', '{'.repeat(SIZE)],
  ['braces in an agent', `agent a { x = ${'{'.repeat(SIZE)}`],
  ['one name', 'a'.repeat(SIZE)],
  ['one string', `agent a { x = "${'a'.repeat(SIZE)}" }`],
  ['words', 'word '.repeat(SIZE / 5)],
  ['strange signs', '@ '.repeat(SIZE / 2)],
  ['one comment', `/*${'/'.repeat(SIZE)}`],
  ['blank lines', '\n'.repeat(SIZE)],
])('reads 5 MB of garbage in steps that its tokens bound: %s', (_, source) => {
  const stream = new TokenStream(source);
  parseFile(stream);
  expect(stream.steps).toBeLessThan(60 * stream.lexed.tokens.length + 100);
  const { diagnostics } = parse(source);
  const lines = new LineMap(source);
  const text = diagnostics.map((diagnostic) => renderDiagnostic(diagnostic, 'x.agent', lines)).join('\n');
  expect(text.length).toBeLessThan(50_000);
});
