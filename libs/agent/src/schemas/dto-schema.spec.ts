import { Expose, Transform, Type } from 'class-transformer';
import {
  ArrayMinSize,
  IsArray,
  IsDate,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Length,
  Min,
  registerDecorator,
  ValidateNested,
} from 'class-validator';
import type { InputValidation } from '@nestor/core';
import { describe, expect, it } from 'vitest';
import type { DtoClass } from './dto-class.js';
import { dtoInputSchema } from './dto-schema.js';

const WHERE = 'operator "order" (Shop.order)';

async function valid<T extends object>(type: new () => T, value: unknown): Promise<T> {
  const result = await dtoInputSchema(type, WHERE).validate(value);
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  return result.value as T;
}

const checked = async (type: DtoClass, value: unknown): Promise<InputValidation> =>
  dtoInputSchema(type, WHERE).validate(value);

class Item {
  @IsString()
  sku!: string;

  @IsInt()
  @Min(1)
  price!: number;
}

class Order {
  @IsArray()
  @ArrayMinSize(1)
  @ValidateNested({ each: true })
  @Type(() => Item)
  items!: Item[];

  @IsOptional()
  @Transform(({ value }: { value: unknown }) => `${String(value)}!`)
  @IsString()
  note?: string;

  @IsOptional()
  @IsDate()
  @Type(() => Date)
  due?: Date;

  @IsInt()
  copies = 1;

  @IsOptional()
  @IsObject()
  extra?: Record<string, unknown>;
}

describe('a value checked by a DTO class', () => {
  it('becomes an instance of the class and of its nested classes', async () => {
    const order = await valid(Order, { items: [{ sku: 'a', price: 2 }], due: '2026-11-30T10:00:00Z' });
    expect(order).toBeInstanceOf(Order);
    expect(order.items[0]).toBeInstanceOf(Item);
    expect(order.due).toEqual(new Date('2026-11-30T10:00:00Z'));
    expect(order.copies).toBe(1);
  });

  it('passes transforms exactly once, and an instance not again', async () => {
    const sent = { items: [{ sku: 'a', price: 2 }], note: 'soon' };
    const order = await valid(Order, sent);
    expect(order.note).toBe('soon!');
    expect((await valid(Order, order)).note).toBe('soon!');
    expect(sent.note).toBe('soon');
  });

  it('loses the properties that no decorator knows, at every depth', async () => {
    const order = await valid(Order, {
      items: [{ sku: 'a', price: 2, admin: true }],
      root: 1,
      extra: { any: 1 },
    });
    expect(order).toEqual(
      Object.assign(new Order(), {
        items: [Object.assign(new Item(), { sku: 'a', price: 2 })],
        extra: { any: 1 },
      }),
    );
  });

  it('is refused with path and message for each problem', async () => {
    expect(await checked(Order, { items: [{ sku: 1, price: 1.5 }, 'x'], copies: 'many' })).toEqual({
      ok: false,
      issues: [
        { path: 'items[0].sku', message: 'sku must be a string' },
        { path: 'items[0].price', message: 'price must be an integer number' },
        { path: 'items[1]', message: expect.stringContaining('must be either object or array') },
        { path: 'copies', message: 'copies must be an integer number' },
      ],
    });
    expect(await checked(Order, {})).toEqual({
      ok: false,
      issues: [
        { path: 'items', message: 'items must contain at least 1 elements' },
        { path: 'items', message: 'items must be an array' },
      ],
    });
    for (const value of [null, 'text', 1, [], undefined]) {
      expect(await checked(Order, value)).toEqual({
        ok: false,
        issues: [{ path: '', message: 'must be an object' }],
      });
    }
  });

  it('takes a null for "not given" where the property is optional', async () => {
    const order = await valid(Order, {
      items: [{ sku: 'a', price: 1 }],
      note: null,
      due: null,
      copies: null,
    });
    expect(order).toEqual(
      Object.assign(new Order(), { items: [Object.assign(new Item(), { sku: 'a', price: 1 })] }),
    );
  });

  it('names fields in its issues as the model sends them', async () => {
    class User {
      @Expose({ name: 'user_name' })
      @Length(2, 5)
      userName!: string;
    }
    expect(await valid(User, { user_name: 'Ada' })).toEqual(Object.assign(new User(), { userName: 'Ada' }));
    expect(await checked(User, { user_name: 'A' })).toMatchObject({
      ok: false,
      issues: [{ path: 'user_name' }],
    });
  });

  it('waits for validators that are not done at once', async () => {
    class Login {
      @IsFree()
      name!: string;
    }
    expect(await checked(Login, { name: 'taken' })).toEqual({
      ok: false,
      issues: [{ path: 'name', message: 'name is taken' }],
    });
    expect(await valid(Login, { name: 'free' })).toEqual(Object.assign(new Login(), { name: 'free' }));
  });

  it('is refused, not thrown, when a transform or a validator fails', async () => {
    class Csv {
      @Transform(({ value }: { value: string }) => value.split(','))
      @IsString({ each: true })
      columns!: string[];
    }
    expect((await valid(Csv, { columns: 'a,b' })).columns).toEqual(['a', 'b']);
    expect(await checked(Csv, { columns: 7 })).toEqual({
      ok: false,
      issues: [{ path: '', message: 'cannot be checked: value.split is not a function' }],
    });
  });

  it('is made of the class its discriminator names, and the value given is left alone', async () => {
    class Shape {
      @IsString()
      kind!: string;
    }
    class Circle extends Shape {
      @IsInt()
      radius!: number;
    }
    class Drawing {
      @ValidateNested({ each: true })
      @Type(() => Shape, {
        discriminator: { property: 'type', subTypes: [{ value: Circle, name: 'circle' }] },
      })
      shapes!: Shape[];
    }
    const sent = { shapes: [{ type: 'circle', kind: 'round', radius: 1 }] };
    expect((await valid(Drawing, sent)).shapes[0]).toBeInstanceOf(Circle);
    expect(sent).toEqual({ shapes: [{ type: 'circle', kind: 'round', radius: 1 }] });
    expect(
      await checked(Drawing, { shapes: [{ type: 'circle', kind: 'round', radius: 'x' }] }),
    ).toMatchObject({
      issues: [{ path: 'shapes[0].radius' }],
    });
  });

  it('cannot reach a prototype', async () => {
    const sent: unknown = JSON.parse(
      '{"items":[{"sku":"a","price":1,"__proto__":{"x":1}}],"__proto__":{"x":1},"constructor":{"prototype":{"x":1}}}',
    );
    const order = await valid(Order, sent);
    expect(Object.getPrototypeOf(order)).toBe(Order.prototype);
    expect([order, order.items[0], {}].map((each) => 'x' in each!)).toEqual([false, false, false]);
  });
});

describe('dtoInputSchema', () => {
  it('is made once per class', () => {
    expect(dtoInputSchema(Order, WHERE)).toBe(dtoInputSchema(Order, 'another operator'));
    expect(Object.isFrozen(dtoInputSchema(Order, WHERE).jsonSchema)).toBe(true);
  });
});

function IsFree(): PropertyDecorator {
  return (target, property) =>
    registerDecorator({
      name: 'isFree',
      target: target.constructor,
      propertyName: String(property),
      options: { message: 'name is taken' },
      validator: { validate: async (value: unknown) => value !== 'taken' },
    });
}
