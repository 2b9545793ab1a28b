import { Type } from 'class-transformer';
import { IsOptional, IsString, ValidateNested } from 'class-validator';
import type { InputValidation } from '@nestor/core';
import { expect, it } from 'vitest';
import type { DtoClass } from './dto-class.js';
import { dtoInputSchema } from './dto-schema.js';

const checked = async (type: DtoClass, value: unknown): Promise<InputValidation> =>
  dtoInputSchema(type, 'operator "greet" (Host.greet)').validate(value);

it('must have the nested values that class-validator alone would not miss', async () => {
  class Address {
    @IsString()
    street!: string;
  }
  class Person {
    @ValidateNested()
    @Type(() => Address)
    home!: Address;
    @IsOptional()
    @ValidateNested({ each: true })
    @Type(() => Address)
    others?: Address[];
  }
  const address = { street: 'Main' };
  expect(await checked(Person, {})).toEqual({
    ok: false,
    issues: [{ path: 'home', message: 'is required' }],
  });
  expect(await checked(Person, { home: [address] })).toEqual({
    ok: false,
    issues: [{ path: 'home', message: 'must be one object, not an array' }],
  });
  expect(await checked(Person, { home: address, others: address })).toEqual({
    ok: false,
    issues: [{ path: 'others', message: 'must be an array' }],
  });
  expect(await checked(Person, { home: address, others: [[address]] })).toEqual({
    ok: false,
    issues: [{ path: 'others[0]', message: 'must be one object, not an array' }],
  });
  expect((await checked(Person, { home: address, others: [address] })).ok).toBe(true);
});
