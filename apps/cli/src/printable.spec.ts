import { describe, expect, it } from 'vitest';
import { nestor } from '../../../test/support/recorded-terminal.js';
import { TemporaryFolder } from '../../../test/support/temporary-folder.js';
import { printable, printableJson, printableName } from './printable.js';

describe('what a terminal would act on', () => {
  const folder = new TemporaryFolder();
  const CLEAR = '\u001b[2J';

  it('is written as an escape, but for line breaks and tabs', () => {
    expect(printable('a\tb\n\u001b[2J\r\u009b\u202e\u{e0001}é')).toBe(
      'a\tb\n\\u001b[2J\\u000d\\u009b\\u202e\\udb40\\udc01é',
    );
    expect(printableName('a\n\tb')).toBe('a\\u000a\\u0009b');
  });

  it('is no part of JSON, which means the same', () => {
    const value = { name: 'a\u001b\u009b\u2028\u007f' };
    const text = printableJson(value);
    expect(text).toBe('{\n  "name": "a\\u001b\\u009b\\u2028\\u007f"\n}\n');
    expect(JSON.parse(text)).toEqual(value);
  });

  it('reaches no terminal in a name', async () => {
    const operator = { name: CLEAR, description: '', kind: 'tool', parameters: null };
    const metadata = await folder.write('m.json', JSON.stringify([operator, operator]));
    const path = await folder.write(`${CLEAR}.agent`, 'agent a{model="m"}');
    const runs = [
      await nestor(['check', `${path}x`]),
      await nestor(['check', path, '--metadata', metadata]),
      await nestor([CLEAR]),
      await nestor(['check', `${CLEAR}\n.agent`]),
      await nestor(['fmt', '--check', folder.path]),
    ];
    expect(runs.map(({ code }) => code)).toEqual([2, 2, 2, 2, 1]);
    for (const { stdout, stderr } of runs) {
      expect(stdout + stderr).not.toContain('\u001b');
      expect(stdout + stderr).toContain('\\u001b[2J');
      expect((stdout + stderr).trim().split('\n').length).toBeLessThanOrEqual(2);
    }
  });
});
