import { describe, expect, it } from 'vitest';
import { sanitizeToolName, TOOL_NAME } from './tool-name.js';

describe('sanitizeToolName', () => {
  it('gives a good name back', () => {
    expect(sanitizeToolName('search_kb-2')).toBe('search_kb-2');
  });

  it.each([
    ['$WRITE DISK', '_WRITE_DISK'],
    ['fetch<|channel|>json', 'fetch_channel_json'],
    ['größe', 'gr_e'],
    ['', 'unknown'],
    ['a'.repeat(80), 'a'.repeat(64)],
  ])('makes %j acceptable', (name, expected) => {
    expect(sanitizeToolName(name)).toBe(expected);
    expect(expected).toMatch(TOOL_NAME);
  });
});
