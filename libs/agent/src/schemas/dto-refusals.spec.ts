import { Type } from 'class-transformer';
import { IsArray, IsDate, IsNumber, IsObject, IsString, ValidateNested } from 'class-validator';
import { InvalidSchemaException } from '@nestor/core';
import { describe, expect, it } from 'vitest';
import type { DtoClass } from './dto-class.js';
import { dtoInputSchema } from './dto-schema.js';

const WHERE = 'operator "order" (Shop.order)';

function refusal(type: DtoClass): InvalidSchemaException {
  try {
    dtoInputSchema(type, WHERE);
  } catch (error) {
    if (error instanceof InvalidSchemaException) return error;
    throw error;
  }
  throw new Error('It was not refused.');
}

class Money {
  @IsNumber()
  amount!: number;
}

class Item {
  @IsString()
  sku!: string;
}

describe('what a model cannot be told', () => {
  it('B148: an array of unknown items is refused with class, field and remedy', () => {
    class Basket {
      @IsArray()
      items!: Item[];
    }
    class Outer {
      @ValidateNested()
      @Type(() => Basket)
      basket!: Basket;
    }
    expect(refusal(Outer)).toMatchObject({
      path: 'basket.items',
      message:
        `The schema of ${WHERE} cannot be used (at "basket.items"): Basket.items is an array and nothing says of what. ` +
        'Add @ValidateNested({ each: true }) and @Type(() => ItemClass), or a validator of the items, e.g. @IsString({ each: true }).',
    });
  });

  it('B148: so are nested classes that are not made or not checked', () => {
    class NoType {
      @ValidateNested()
      money!: Money;
    }
    class NoTypeOfItems {
      @ValidateNested({ each: true })
      items!: Item[];
    }
    class OnlyObject {
      @IsObject()
      money!: Money;
    }
    class OnlyType {
      @IsArray()
      @Type(() => Item)
      items!: Item[];
    }
    class Plain {}
    class OfPlain {
      @ValidateNested()
      @Type(() => Plain)
      plain!: Plain;
    }
    class Circular {
      @ValidateNested()
      @Type(() => undefined as unknown as typeof Plain)
      other!: object;
    }
    const messages = [NoType, NoTypeOfItems, OnlyObject, OnlyType, OfPlain, Circular].map(
      (type) => refusal(type).message.split('): ')[1],
    );
    expect(messages).toEqual([
      'NoType.money is nested and nothing says of what class. Add @Type(() => Money).',
      'NoTypeOfItems.items is nested and nothing says of what class. Add @Type(() => ItsClass).',
      'OnlyObject.money is of class Money, whose fields are not checked. Add @ValidateNested() and @Type(() => Money).',
      'OnlyType.items is of class Item, whose fields are not checked. Add @ValidateNested({ each: true }) and @Type(() => Item).',
      'OfPlain.plain is nested of Plain, on which class-validator finds no decorator, so that every value would be refused. ' +
        'Decorate the fields of Plain, or name another class with @Type.',
      'Circular.other has a @Type whose function gives no class. ' +
        'Two files import each other: put both classes in one file, or break the circle.',
    ]);
  });

  it('a Date that nothing makes', () => {
    class Meeting {
      @IsDate()
      at!: Date;
    }
    expect(refusal(Meeting).message).toContain(
      'Meeting.at must be a Date, which JSON cannot hold. Add @Type(() => Date)',
    );
  });

  it('a class that cannot be made without arguments', () => {
    class Greedy {
      @IsString()
      name: string;
      constructor(given: { name: string }) {
        this.name = given.name;
      }
    }
    expect(refusal(Greedy as unknown as DtoClass).message).toContain(
      'the constructor of Greedy fails without arguments',
    );
  });

  it('a class without decorators', () => {
    class Plain {}
    expect(refusal(Plain).message).toContain('class-validator finds no decorator on the class Plain');
  });
});
