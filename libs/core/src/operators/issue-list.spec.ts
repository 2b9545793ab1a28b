import { describe, expect, it } from 'vitest';
import { failedValidation, issuePath } from './issue-list.js';

describe('issuePath', () => {
  it('is written as people write it', () => {
    expect(issuePath(['items', 2, 'price'])).toBe('items[2].price');
    expect(issuePath([0, 'a'])).toBe('[0].a');
    expect(issuePath(['headers', 'x-id', Symbol('s')])).toBe('headers["x-id"]["Symbol(s)"]');
    expect(issuePath([])).toBe('');
  });
});

describe('failedValidation', () => {
  it('keeps ten issues and short texts', () => {
    const issues = Array.from({ length: 50 }, (_, index) => ({
      path: 'p'.repeat(1_000),
      message: `${index} ${'m'.repeat(1_000)}`,
    }));
    const result = failedValidation(issues);
    expect(result.ok ? [] : result.issues).toHaveLength(10);
    expect(JSON.stringify(result).length).toBeLessThan(6_000);
  });
});
