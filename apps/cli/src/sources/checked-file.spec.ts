import { describe, expect, it } from 'vitest';
import { checkFiles, fileDiagnosticToJson } from './checked-file.js';

const agent = (name: string): string => `agent ${name} {\n  model = "m"\n}\n`;

describe('checkFiles', () => {
  it('tells of an agent in two files, with both places', () => {
    const files = checkFiles([
      { path: 'a.agent', source: agent('one') },
      { path: 'b.agent', source: agent('two') + agent('one') },
    ]);
    expect(files.map(({ diagnostics }) => diagnostics.length)).toEqual([0, 1]);
    const [, second] = files;
    expect(fileDiagnosticToJson(second!.diagnostics[0]!, second!)).toEqual({
      code: 'duplicate-agent',
      severity: 'error',
      message: 'The agent "one" is declared twice; first in a.agent:1:7.',
      hint: 'remove or rename one of them',
      file: 'b.agent',
      line: 4,
      column: 7,
      endLine: 4,
      endColumn: 10,
      related: [
        { file: 'a.agent', line: 1, column: 7, endLine: 1, endColumn: 10, message: 'first declared here' },
      ],
    });
  });

  it('points at the first of three, also from a file that cannot be compiled', () => {
    const files = checkFiles([
      { path: 'a.agent', source: `${agent('one')}agent` },
      { path: 'b.agent', source: agent('one') },
      { path: 'c.agent', source: agent('one') },
    ]);
    const repeated = files.map(({ diagnostics }) =>
      diagnostics.flatMap(({ code, elsewhere }) => (code === 'duplicate-agent' ? elsewhere?.file : [])),
    );
    expect(repeated).toEqual([[], ['a.agent'], ['a.agent']]);
  });

  it('leaves an agent that is twice in one file to the compiler', () => {
    const [file] = checkFiles([{ path: 'a.agent', source: agent('one') + agent('one') }]);
    expect(file!.diagnostics.map(({ code }) => code)).toEqual(['duplicate-agent']);
  });

  it('is not troubled by agents without a name or with the names of Object', () => {
    const source = 'agent { model = "m" }';
    const files = checkFiles([
      { path: 'a.agent', source },
      { path: 'b.agent', source },
      { path: 'c.agent', source: agent('constructor') },
    ]);
    const codes = files.map(({ diagnostics }) => diagnostics.map(({ code }) => code));
    expect(codes.flat()).not.toContain('duplicate-agent');
    expect(codes[2]).toEqual([]);
  });
});
