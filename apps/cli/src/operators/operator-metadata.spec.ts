import { describe, expect, it } from 'vitest';
import { CliError } from '../cli.error.js';
import { parseOperatorMetadata } from './operator-metadata.js';

const search = {
  name: 'search',
  description: 'Searches',
  kind: 'tool',
  parameters: { type: 'object' },
  owner: 'docs',
};
const parsing = (text: string) => () => parseOperatorMetadata(text, 'x.json');

describe('parseOperatorMetadata', () => {
  it('gives the operators with all their fields', () => {
    const operators = [search, { ...search, name: 'none', parameters: null, promptHint: 'seldom' }];
    expect(parseOperatorMetadata(JSON.stringify(operators), 'x.json')).toEqual(operators);
    expect(parseOperatorMetadata('\uFEFF[]', 'x.json')).toEqual([]);
  });

  it.each([
    ['', 'x.json is no JSON. "nestor metadata" writes it.'],
    ['[{', 'x.json is no JSON. "nestor metadata" writes it.'],
    ['{}', 'x.json is no list of operators. "nestor metadata" writes one.'],
    ['null', 'x.json is no list of operators. "nestor metadata" writes one.'],
  ])('refuses %j', (text, message) => {
    expect(parsing(text)).toThrow(new CliError(message));
  });

  it.each([
    [null, /^x\.json: operator 2 is no object\./],
    [[], /^x\.json: operator 2 is no object\./],
    [{ ...search, name: 7 }, /operator 2 \(7\) has no name\./],
    [{ ...search, name: '' }, /operator 2 \(""\) has no name\./],
    [{ ...search, name: 'b', description: undefined }, /operator 2 \("b"\) has no description\./],
    [{ ...search, name: 'b', kind: 'other' }, /operator 2 \("b"\) has a kind that is neither/],
    [
      { ...search, name: 'b', parameters: undefined },
      /has parameters that are neither a JSON Schema nor null\./,
    ],
    [{ ...search, name: 'b', parameters: [] }, /has parameters that are neither a JSON Schema nor null\./],
    [
      { ...search, name: 'b', usageExample: {} },
      /has a usageExample that is no text\..*"nestor metadata"\.$/,
    ],
    [search, 'x.json has the operator "search" twice.'],
  ])('refuses the operator %j', (operator, message) => {
    expect(parsing(JSON.stringify([search, operator]))).toThrow(message);
  });
});
