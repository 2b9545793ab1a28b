import { describe, expect, it } from 'vitest';
import { tokenise } from './tokenise.js';

describe('tokenise', () => {
  it('drops stop words and punctuation, and keeps the order', () => {
    expect(tokenise('How do I turn on two-factor?')).toEqual(['turn', 'two', 'factor']);
  });

  it.each([
    ['reset', 'resetting', 'resets'],
    ['invoice', 'invoices', 'invoiced'],
    ['cancel', 'cancelled', 'cancels'],
    ['delete', 'deleting', 'deleted'],
    ['reply', 'replies'],
    ['access', 'accessed'],
  ])('brings the forms of "%s" together', (...forms) => {
    expect(new Set(forms.flatMap(tokenise)).size).toBe(1);
  });

  it('keeps short words, numbers and status codes', () => {
    expect(tokenise('API 429 SSO')).toEqual(['api', '429', 'sso']);
  });

  it('folds case and accents', () => {
    expect(tokenise('Café CAFÉ')).toEqual(['caf', 'caf']);
  });

  it('finds no word in an empty text or one of signs alone', () => {
    expect([...tokenise(''), ...tokenise('?! --')]).toEqual([]);
  });
});
