import { expect, it } from 'vitest';
import { examples } from '../../../../test/support/agent-sources.js';
import { parse } from './parser.js';

it.each([...examples])('%s has no syntax error', (_, source) => {
  const { file, diagnostics } = parse(source);
  expect(diagnostics).toEqual([]);
  expect(file.agents.length).toBeGreaterThan(0);
  expect(JSON.stringify(file)).not.toContain('"broken"');
});

it('has the bytes that it is about in each', () => {
  expect(examples.get('crlf.agent')?.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  expect(examples.get('byte-order-mark.agent')).toMatch(/^\uFEFF/);
  expect(examples.get('no-final-newline.agent')).toMatch(/\}$/);
  expect(examples.get('comment-at-the-end.agent')).toMatch(/newline$/);
});
