import { describe, expect, it } from 'vitest';
import { didYouMean, nearestName } from './did-you-mean.js';

describe('didYouMean', () => {
  const known = ['searchKb', 'escalate', 'closeTicket'];

  it('names the nearest known name', () => {
    expect(didYouMean('serchKb', known)).toBe(' Did you mean "searchKb"?');
    expect(didYouMean('close_ticket', known)).toBe(' Did you mean "closeTicket"?');
  });

  it('takes letters that changed places for one mistake', () => {
    expect(nearestName('agnet', ['agent', 'graph'])).toBe('agent');
    expect(nearestName('modle', ['model', 'memory'])).toBe('model');
    expect(nearestName('abc', ['bac'])).toBe('bac');
  });

  it('ignores case', () => {
    expect(nearestName('ESCALATE', known)).toBe('escalate');
  });

  it('says nothing if no name is near', () => {
    expect(didYouMean('weather', known)).toBe('');
    expect(didYouMean('weather', [])).toBe('');
  });

  it('takes a short name for a mistake in its case only', () => {
    expect(nearestName('O', ['a', 'b'])).toBeUndefined();
    expect(nearestName('ab', ['ba', 'abc'])).toBeUndefined();
    expect(nearestName('AB', ['ba', 'ab'])).toBe('ab');
  });

  it('takes the first of two that are as near', () => {
    expect(nearestName('cat', ['car', 'bat'])).toBe('car');
  });

  it('compares the beginnings of names of any length', () => {
    const long = 'a'.repeat(100_000);
    expect(nearestName(long, [`${long}b`])).toBe(`${long}b`);
  });
});
