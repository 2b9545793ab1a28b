import { describe, expect, it } from 'vitest';
import { ArticleIndex } from './article-index.js';

const index = new ArticleIndex([
  {
    id: 'boats',
    title: 'Rent a boat',
    body: 'Boats lie at the pier. Mind the swans. Oars are in the shed. Vests are free. Return by six.',
  },
  { id: 'bikes', title: 'Rent a bike', body: 'Bikes stand behind the house. A boat trip is not included.' },
  { id: 'meals', title: 'Meals', body: 'Breakfast is at eight.' },
]);

describe('ArticleIndex', () => {
  it('ranks a word of the title above the same word in a body', () => {
    expect(index.search('boat').map(({ id }) => id)).toEqual(['boats', 'bikes']);
  });

  it('lets a rare word outweigh a common one', () => {
    expect(index.search('rent meals')[0]?.id).toBe('meals');
  });

  it('quotes the sentences that hold the words asked for', () => {
    expect(index.search('oars vests return')[0]?.excerpt).toBe(
      'Mind the swans. Oars are in the shed. Vests are free. Return by six.',
    );
  });

  it('quotes a short article whole', () => {
    expect(index.search('breakfast')[0]?.excerpt).toBe('Breakfast is at eight.');
  });

  it('orders equal scores by id, and keeps to the limit', () => {
    const twins = new ArticleIndex(
      ['c', 'a', 'b'].map((id) => ({ id, title: 'Sauna', body: 'The sauna is open.' })),
    );
    expect(twins.search('sauna', 2).map(({ id }) => id)).toEqual(['a', 'b']);
  });

  it('finds nothing for unknown words, stop words and an empty query', () => {
    expect([index.search('helicopter'), index.search('how do I'), index.search('')]).toEqual([[], [], []]);
  });
});
