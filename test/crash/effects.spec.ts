import { expect, it } from 'vitest';
import { effectFigures, type Effect } from './effects.js';

const effect = (kind: Effect['kind'], tool: string, key: string): Effect => ({ kind, tool, key });

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
  ]);
  expect(figures).toEqual({
    repeatedOnce: 1,
    calledAfterResult: 2,
    keyedEffects: new Set(['a', 'd']),
    keyedRepeats: 2,
    refusedWrites: 1,
  });
});
