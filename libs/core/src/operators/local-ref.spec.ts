import { describe, expect, it } from 'vitest';
import { resolveLocalRef } from './local-ref.js';

describe('resolveLocalRef', () => {
  const root = { $defs: { 'a/b~c d': { type: 'string' } }, list: [{ type: 'null' }] };

  it('finds the root and what is within it', () => {
    expect(resolveLocalRef('#', root)).toBe(root);
    expect(resolveLocalRef('#/$defs/a~1b~0c%20d', root)).toBe(root.$defs['a/b~c d']);
    expect(resolveLocalRef('#/list/0', root)).toBe(root.list[0]);
  });

  it('finds nothing elsewhere', () => {
    expect(resolveLocalRef('#/constructor', root)).toBeUndefined();
    expect(resolveLocalRef('#/$defs/a/b', root)).toBeUndefined();
    expect(resolveLocalRef('#anchor', root)).toBeUndefined();
    expect(resolveLocalRef('#/%E0%A4%A', root)).toBeUndefined();
    expect(resolveLocalRef('http://x.test/schema.json', root)).toBeUndefined();
  });
});
