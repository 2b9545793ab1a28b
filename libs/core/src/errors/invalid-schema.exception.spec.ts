import { expect, it } from 'vitest';
import { AgentException } from './agent.exception.js';
import { InvalidSchemaException } from './invalid-schema.exception.js';

it('names the owner of the schema, the path, the problem and the remedy', () => {
  const cause = new Error('no');
  const error = new InvalidSchemaException({
    where: 'operator "book" (Travel.book)',
    problem: 'dates have no JSON form',
    remedy: 'Use z.iso.date().',
    path: 'trip.day',
    cause,
  });
  expect(error).toBeInstanceOf(AgentException);
  expect(error).toMatchObject({
    name: 'InvalidSchemaException',
    code: 'invalid_schema',
    where: 'operator "book" (Travel.book)',
    path: 'trip.day',
    cause,
    message:
      'The schema of operator "book" (Travel.book) cannot be used (at "trip.day"): dates have no JSON form. ' +
      'Use z.iso.date().',
  });
});
