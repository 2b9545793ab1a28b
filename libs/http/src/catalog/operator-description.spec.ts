import { OperatorRegistry, type OperatorMetadata } from '@nestor/core';
import { expect, it } from 'vitest';
import { describeOperator } from './operator-description.js';

const metadata = (more: Partial<OperatorMetadata>): OperatorMetadata =>
  new OperatorRegistry().register('pay', { execute: () => 1 }, more).metadata('pay');

it('shows schemas as JSON Schema, and what is not known as null', () => {
  const validate = () => ({ ok: true, value: 1 }) as const;
  const description = describeOperator(
    metadata({
      description: 'Pay',
      input: { jsonSchema: { type: 'object' }, validate },
      output: { jsonSchema: { type: 'string' }, validate },
      promptHint: 'Ask first.',
      owner: 'billing',
    }),
  );
  expect(description).toEqual({
    name: 'pay',
    kind: 'tool',
    description: 'Pay',
    parameters: { type: 'object' },
    output: { type: 'string' },
    promptHint: 'Ask first.',
    owner: 'billing',
    tags: [],
    effect: 'at-most-once',
    approval: false,
  });
  expect(describeOperator(metadata({}))).toMatchObject({ parameters: null, output: null });
});

it.each([
  [true, true],
  [false, false],
  [() => false, 'conditional'],
])('says of approval %s: %s', (approval, expected) => {
  expect(describeOperator(metadata({ approval })).approval).toBe(expected);
});

it('tells nothing that is for the loop only', () => {
  const given = metadata({ kind: 'agent', retry: { attempts: 3 }, visible: () => true });
  expect(Object.keys(describeOperator(given)).sort()).toEqual([
    'approval',
    'description',
    'effect',
    'kind',
    'name',
    'output',
    'parameters',
    'tags',
  ]);
});
