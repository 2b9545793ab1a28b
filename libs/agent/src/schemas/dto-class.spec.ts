import { IsString } from 'class-validator';
import { expect, it } from 'vitest';
import { isDtoClass } from './dto-class.js';

class Dto {
  @IsString()
  name!: string;
}

it('knows a DTO class by its decorators, its own or inherited', () => {
  expect(isDtoClass(Dto)).toBe(true);
  expect(isDtoClass(class extends Dto {})).toBe(true);
});

it.each([class Plain {}, Object, String, Array, () => 1, {}, new Dto(), null, undefined, 'Dto'])(
  'takes %s for none',
  (value) => {
    expect(isDtoClass(value)).toBe(false);
  },
);

it('asks no package where class-validator was never loaded', () => {
  const holder = globalThis as { classValidatorMetadataStorage?: unknown };
  const storage = holder.classValidatorMetadataStorage;
  delete holder.classValidatorMetadataStorage;
  try {
    expect(isDtoClass(Dto)).toBe(false);
  } finally {
    holder.classValidatorMetadataStorage = storage;
  }
});
