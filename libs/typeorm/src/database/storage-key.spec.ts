import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { hashKey, storageKey } from './storage-key.js';

const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 200);

it('leaves a plain id as it is and hashes any other', () => {
  const uuid = '3f2b8c1e-9d4a-4b7c-8e21-5a6f7b8c9d0e';
  expect(storageKey(uuid)).toBe(uuid);
  for (const id of ['', 'a b', 'ä', 'x'.repeat(65), 'a\n']) expect(storageKey(id)).toMatch(/^[0-9a-f]{64}$/);
});

it('gives two texts two keys, half surrogates included', () => {
  expect(hashKey('\ud800')).not.toBe(hashKey('\ud801'));
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
      expect(storageKey(a) === storageKey(b)).toBe(a === b);
      expect(storageKey(a)).toMatch(/^[\x21-\x7e]{1,64}$/);
    }),
    { numRuns: RUNS },
  );
});
