import { describe, expect, it } from 'vitest';
import { QueryParameters, wholeNumber } from './query-parameters.js';

const parameters = (query: Record<string, unknown>): QueryParameters =>
  new QueryParameters(query, ['limit', 'status']);

describe('QueryParameters', () => {
  it('takes what is not there, or set to nothing, as not given', () => {
    for (const query of [{}, { limit: '', status: '' }]) {
      expect(parameters(query).text('status')).toBeUndefined();
      expect(parameters(query).number('limit', 1, 9)).toBeUndefined();
      expect(parameters(query).choice('status', ['a'])).toBeUndefined();
    }
  });

  it('reads texts, numbers and choices', () => {
    const query = parameters({ limit: '9', status: 'b' });
    expect(query.text('status')).toBe('b');
    expect(query.number('limit', 1, 9)).toBe(9);
    expect(query.choice('status', ['a', 'b'])).toBe('b');
  });

  it('refuses what is misspelt, and says what was meant', () => {
    expect(() => parameters({ statsu: 'b' })).toThrow(
      'There is no parameter "statsu". Did you mean "status"? Parameters are limit, status.',
    );
    expect(() => parameters({ status: 'runing' }).choice('status', ['running', 'failed'])).toThrow(
      'status is "runing"; it must be one of running, failed. Did you mean "running"?',
    );
  });

  it('refuses a parameter that is there twice', () => {
    expect(() => parameters({ status: ['a', 'b'] }).text('status')).toThrow('status is there more than once');
    expect(() => parameters({ limit: { a: '1' } }).number('limit', 1, 9)).toThrow('limit is there more than');
  });

  it.each(['0', '10', '-1', '1.5', '0x5', '1e0', ' 5', 'many', '9'.repeat(30)])(
    'refuses the number %j',
    (limit) => {
      expect(() => parameters({ limit }).number('limit', 1, 9)).toThrow(
        /limit is ".*"; it must be a whole number from 1 to 9/,
      );
    },
  );

  it('takes the greatest sequence number there can be', () => {
    const most = Number.MAX_SAFE_INTEGER;
    expect(wholeNumber('after', String(most), 0, most)).toBe(most);
    expect(() => wholeNumber('after', String(most + 1), 0, most)).toThrow('after is');
  });
});
