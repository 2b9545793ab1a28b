import { expect, it } from 'vitest';
import { effectFigures, type Effect } from './effects.js';

const effect = (kind: Effect['kind'], name: string, key: string): Effect => ({ kind, name, key });

it('the figures of the crash tests see what must not happen', () => {
  const figures = effectFigures([
    effect('call', 'keyed', 'a'),
    effect('call', 'keyed', 'a'),
    effect('call', 'once', 'b'),
    effect('call', 'once', 'b'),
    effect('stored', 'pure', 'c'),
    effect('call', 'pure', 'c'),
    effect('found', 'keyed', 'a'),
    effect('call', 'keyed', 'a'),
    effect('refused', 'keyed', 'd'),
    effect('call', 'keyed', 'd'),
    effect('call', 'paid', 'e'),
    effect('call', 'paid', 'e'),
    effect('stored', 'model', 'r:1'),
    effect('call', 'model', 'r:1'),
  ]);
  expect(figures).toEqual({
    repeatedOnce: 2,
    calledAfterResult: 3,
    keyedEffects: new Set(['a', 'd']),
    keyedRepeats: 2,
    refusedWrites: 1,
  });
});
