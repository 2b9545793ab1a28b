import { Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsDate,
  IsEnum,
  IsIn,
  IsInt,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  Max,
  Min,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { InvalidSchemaException, type JsonSchema } from '@nestor/core';
import { describe, expect, it } from 'vitest';
import type { DtoClass } from './dto-class.js';
import { dtoInputSchema } from './dto-schema.js';

const WHERE = 'operator "order" (Shop.order)';
const schemaOf = (type: DtoClass): JsonSchema => dtoInputSchema(type, WHERE).jsonSchema;

enum Colour {
  Red = 'red',
  Blue = 'blue',
}
enum Priority {
  Low,
  High,
}

class Money {
  @IsNumber()
  @Min(0)
  amount!: number;

  @IsIn(['EUR', 'USD'])
  currency!: string;
}

class Item {
  @IsString()
  sku!: string;

  @IsInt()
  @Min(1)
  @Max(99)
  count!: number;

  @ValidateNested()
  @Type(() => Money)
  price!: Money;
}

class Base {
  @IsBoolean()
  dryRun!: boolean;
}

class Order extends Base {
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(20)
  @ValidateNested({ each: true })
  @Type(() => Item)
  items!: Item[];

  @IsEnum(Colour)
  colour!: Colour;

  @IsOptional()
  @IsEnum(Priority)
  priority?: Priority;

  @IsString({ each: true })
  tags!: string[];

  @IsDate()
  @Type(() => Date)
  due!: Date;

  @IsOptional()
  @IsObject()
  extra?: Record<string, unknown>;

  @ValidateIf((order: Order) => order.dryRun)
  @IsString()
  reason!: string;
}

class Category {
  @IsString()
  name!: string;

  @IsOptional()
  @ValidateNested({ each: true })
  @Type(() => Category)
  children?: Category[];

  @IsOptional()
  @ValidateNested()
  @Type(() => Category)
  parent?: Category;
}

describe('the JSON Schema of a DTO class', () => {
  it('B148: keeps items, nested classes, enums, constraints, inherited fields and what is required', () => {
    expect(schemaOf(Order)).toEqual({
      type: 'object',
      properties: {
        dryRun: { type: 'boolean' },
        items: {
          type: 'array',
          minItems: 1,
          maxItems: 20,
          items: {
            type: 'object',
            properties: {
              sku: { type: 'string' },
              count: { type: 'integer', minimum: 1, maximum: 99 },
              price: {
                type: 'object',
                properties: {
                  amount: { type: 'number', minimum: 0 },
                  currency: { type: 'string', enum: ['EUR', 'USD'] },
                },
                required: ['amount', 'currency'],
              },
            },
            required: ['sku', 'count', 'price'],
          },
        },
        colour: { type: 'string', enum: ['red', 'blue'] },
        priority: { type: 'integer', enum: [0, 1] },
        tags: { type: 'array', items: { type: 'string' } },
        due: { type: 'string', format: 'date-time' },
        extra: { type: 'object' },
        reason: { type: 'string' },
      },
      required: expect.toSatisfy(
        (names: string[]) => [...names].sort().join() === 'colour,dryRun,due,items,tags',
      ),
    });
  });

  it('B148: writes a class that contains itself with references', () => {
    const reference = { $ref: '#/$defs/Category' };
    const body = {
      type: 'object',
      properties: {
        name: { type: 'string' },
        children: { type: 'array', items: reference },
        parent: reference,
      },
      required: ['name'],
    };
    expect(schemaOf(Category)).toEqual({ ...body, $defs: { Category: body } });
  });

  it('B148: tells two classes of one name apart, also within circles', () => {
    const other = (() => {
      class Node {
        @IsInt()
        weight!: number;
        @IsOptional()
        @ValidateNested()
        @Type(() => Node)
        next?: unknown;
      }
      return Node;
    })();
    class Node {
      @ValidateNested()
      @Type(() => other)
      other!: object;
      @IsOptional()
      @ValidateNested()
      @Type(() => Node)
      next?: unknown;
    }
    const { $defs, properties } = schemaOf(Node) as Record<string, any>;
    const [ofOther, ofThis] = [properties.other.$ref, properties.next.$ref].map((ref: string) =>
      ref.slice(8),
    );
    expect(ofOther).not.toBe(ofThis);
    expect($defs[ofOther!].properties).toEqual({ weight: { type: 'integer' }, next: properties.other });
    expect(Object.keys($defs[ofThis!].properties)).toEqual(['other', 'next']);
  });

  it('shows the kinds that a discriminator tells apart', () => {
    class Card {
      @IsString()
      number!: string;
    }
    class Cash {
      @IsInt()
      notes!: number;
    }
    class Payment {
      @ValidateNested()
      @Type(() => Object, {
        discriminator: {
          property: 'kind',
          subTypes: [
            { value: Card, name: 'card' },
            { value: Cash, name: 'cash' },
          ],
        },
      })
      by!: Card | Cash;
    }
    expect(schemaOf(Payment)['properties']).toEqual({
      by: {
        anyOf: [
          {
            type: 'object',
            properties: { number: { type: 'string' }, kind: { type: 'string', enum: ['card'] } },
            required: ['kind', 'number'],
          },
          {
            type: 'object',
            properties: { notes: { type: 'integer' }, kind: { type: 'string', enum: ['cash'] } },
            required: ['kind', 'notes'],
          },
        ],
      },
    });
  });

  it('takes the documented type of what a transform makes', () => {
    class Report {
      @Transform(({ value }) => String(value).split(','))
      @IsArray()
      columns!: string[];
    }
    expect(() => schemaOf(Report)).toThrow(InvalidSchemaException);
    document(Report, 'columns', { type: String, description: 'Separated by commas.' });
    expect(schemaOf(Report)['properties']).toEqual({
      columns: { type: 'string', description: 'Separated by commas.' },
    });
  });

  it('describes fields in the words of @ApiProperty', () => {
    class Ticket {
      @IsString()
      title!: string;
      @IsString({ each: true })
      labels!: string[];
      @IsOptional()
      @ValidateNested()
      @Type(() => Category)
      category?: Category;
      @Matches(/^[a-z]+$/i)
      code!: string;
    }
    document(Ticket, 'title', { required: true, description: 'One line.', example: 'Broken', maxLength: 80 });
    document(Ticket, 'labels', { type: 'array', items: { type: 'string', enum: ['a', 'b'] } });
    document(Ticket, 'category', { description: 'Where it belongs.' });
    document(Ticket, 'code', { description: 'The short code.' });
    expect(schemaOf(Ticket)).toMatchObject({
      properties: {
        title: { type: 'string', maxLength: 80, description: 'One line.', examples: ['Broken'] },
        labels: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
        category: { description: 'Where it belongs.' },
        code: { type: 'string', description: 'The short code. (pattern: /^[a-z]+$/i)' },
      },
      required: ['title', 'labels', 'code'],
    });
  });
});

/** As the decorator of @nestjs/swagger leaves it. */
function document(type: DtoClass, property: string, words: Record<string, unknown>): void {
  Reflect.defineMetadata('swagger/apiModelProperties', words, type.prototype as object, property);
}
