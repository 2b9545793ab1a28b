import { LineMap } from '@nestor/core';
import { describe, expect, it } from 'vitest';
import { renderFiles, reportJson, summaryOf } from './check-report.js';
import type { CheckedFile, FileDiagnostic } from './checked-file.js';

const source = 'agent a {\n  model = x ^^^\n}';
const problem = (severity: 'error' | 'warning', details: Partial<FileDiagnostic> = {}): FileDiagnostic => ({
  code: 'some-code',
  severity,
  message: 'This is wrong.',
  span: { start: 20, end: 21 },
  ...details,
});
const file = (path: string, ...diagnostics: FileDiagnostic[]): CheckedFile => ({
  path,
  lines: new LineMap(source),
  diagnostics,
});
const error = problem('error');
const warning = problem('warning');

describe('summaryOf', () => {
  it.each([
    [[file('a')], 'No problems in 1 file'],
    [[file('a'), file('b')], 'No problems in 2 files'],
    [[file('a', error)], '1 error in 1 of 1 file'],
    [[file('a', error, error), file('b', error), file('c')], '3 errors in 2 of 3 files'],
    [[file('a', warning, error), file('b', warning)], '1 error and 2 warnings in 2 of 2 files'],
    [[file('a', warning), file('b')], '1 warning in 1 of 2 files'],
  ])('counts errors, warnings and files: %#', (files, summary) => {
    expect(summaryOf(files)).toBe(summary);
  });
});

describe('reportJson', () => {
  it('is one document with every file', () => {
    expect(JSON.parse(reportJson([file('a', error, warning), file('b')]))).toEqual({
      files: [
        {
          file: 'a',
          diagnostics: [
            expect.objectContaining({
              code: 'some-code',
              severity: 'error',
              line: 2,
              column: 11,
              hint: null,
            }),
            expect.objectContaining({ severity: 'warning' }),
          ],
        },
        { file: 'b', diagnostics: [] },
      ],
      errors: 1,
      warnings: 1,
    });
  });
});

describe('renderFiles', () => {
  const hinted = problem('error', {
    hint: 'write "y"',
    related: [{ message: 'opened here', span: { start: 8, end: 9 } }],
  });

  it('separates diagnostics by an empty line', () => {
    expect(renderFiles([file('a', error), file('b', warning)], false)).toBe(
      [
        'a:2:11 error[some-code] This is wrong.',
        '  2 |   model = x ^^^',
        '    |           ^',
        '',
        'b:2:11 warning[some-code] This is wrong.',
        '  2 |   model = x ^^^',
        '    |           ^',
        '',
        '',
      ].join('\n'),
    );
  });

  it('colours places, severity, carets and hint, and changes no sign', () => {
    const text = renderFiles([file('a b.agent', hinted, warning)], true);
    expect(text.split('\n').slice(0, 8)).toEqual([
      '\u001b[1ma b.agent:2:11\u001b[0m \u001b[31merror[some-code]\u001b[0m This is wrong.',
      '  2 |   model = x ^^^',
      '    |           \u001b[31m^\u001b[0m',
      '  \u001b[36mhint:\u001b[0m write "y"',
      '\u001b[1ma b.agent:1:9\u001b[0m opened here',
      '  1 | agent a {',
      '    |         \u001b[31m^\u001b[0m',
      '',
    ]);
    expect(text).toContain('\u001b[33mwarning[some-code]\u001b[0m');
    // oxlint-disable-next-line no-control-regex
    expect(text.replaceAll(/\u001b\[\d+m/g, '')).toBe(
      renderFiles([file('a b.agent', hinted, warning)], false),
    );
  });
});
