import { Exclude, Expose, Type } from 'class-transformer';
import { Allow, IsArray, IsInt, IsNotEmpty, IsOptional, IsString, ValidateIf } from 'class-validator';
import type { JsonSchema } from '@nestor/core';
import { describe, expect, it } from 'vitest';
import type { DtoClass } from './dto-class.js';
import { dtoInputSchema } from './dto-schema.js';

const schemaOf = (type: DtoClass): JsonSchema =>
  dtoInputSchema(type, 'operator "order" (Shop.order)').jsonSchema;

describe('a field of a DTO class', () => {
  it('does not ask for what the class fills in itself', () => {
    class Search {
      @IsInt()
      limit = 10;
      @IsArray()
      @IsString({ each: true })
      fields: string[] = [];
      @Allow()
      anything: unknown;
      @IsString()
      query!: string;
    }
    const { properties, required } = schemaOf(Search);
    expect(required).toEqual(['query']);
    expect(properties).toMatchObject({ limit: { type: 'integer', default: 10 }, anything: {} });
  });

  it('knows a null that means something from one that means nothing', () => {
    class Patch {
      @ValidateIf((_, value) => value !== null)
      @IsString()
      note!: string | null;
      @IsOptional()
      @IsString()
      title?: string;
    }
    expect(schemaOf(Patch)).toEqual({
      type: 'object',
      properties: { note: { anyOf: [{ type: 'string' }, { type: 'null' }] }, title: { type: 'string' } },
      required: ['note'],
    });
  });

  it('takes the emitted type where validators name none', () => {
    class Loose {
      @IsNotEmpty()
      name!: string;
      @Allow()
      count!: number;
      @IsOptional()
      @Type(() => Number)
      score?: number | null;
    }
    expect(schemaOf(Loose)).toEqual({
      type: 'object',
      properties: {
        name: { minLength: 1, type: 'string' },
        count: { type: 'number' },
        score: { type: 'number' },
      },
      required: ['name'],
    });
  });

  it('shows the names that @Expose gives and leaves out what @Exclude keeps away', () => {
    class User {
      @Expose({ name: 'user_id' })
      @IsString()
      userId!: string;
      @Exclude()
      @IsOptional()
      @IsString()
      secret?: string;
      @Expose({ groups: ['admin'] })
      @IsOptional()
      @IsString()
      role?: string;
    }
    @Exclude()
    class Listed {
      @Expose()
      @IsString()
      shown!: string;
      @IsOptional()
      @IsString()
      hidden?: string;
    }
    expect(schemaOf(User)).toMatchObject({ properties: { user_id: {} }, required: ['user_id'] });
    expect(Object.keys(schemaOf(User)['properties'] as object)).toEqual(['user_id']);
    expect(Object.keys(schemaOf(Listed)['properties'] as object)).toEqual(['shown']);
  });
});
