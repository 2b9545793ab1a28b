import { IsInt, IsString, Min } from 'class-validator';
import { expect, it } from 'vitest';
import { validatorsOf } from './validator-metadata.js';

class Base {
  @IsInt()
  @Min(1)
  count!: number;
}

it('gives the rules that are checked: inherited ones, unless the property is decorated anew', () => {
  class Same extends Base {}
  class Anew extends Base {
    @IsString()
    declare count: never;
  }
  const namesOf = (type: Function) => new Set(validatorsOf(type).map(({ name }) => name));
  expect(namesOf(Same)).toEqual(new Set(['isInt', 'min']));
  expect(namesOf(Anew)).toEqual(new Set(['isString']));
  expect(namesOf(Object)).toEqual(new Set());
});
