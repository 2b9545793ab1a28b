import { Injectable, ValidationPipe } from '@nestjs/common';
import { APP_PIPE } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { AgentBuilder, OperatorRegistry, ScriptedProvider, type OperatorContext } from '@nestor/core';
import { Transform, Type } from 'class-transformer';
import { IsArray, IsInt, IsOptional, IsString, Min, ValidateNested } from 'class-validator';
import { afterEach, describe, expect, it } from 'vitest';
import { AgentModule } from '../agent.module.js';
import { AgentLoopService } from '../agents/agent-loop.service.js';
import { Operator } from './operator.decorator.js';

let transformed = 0;

class ItemDto {
  @IsString()
  sku!: string;

  @IsInt()
  @Min(1)
  count!: number;
}

class OrderDto {
  @IsString()
  @Transform(({ value }) => {
    transformed += 1;
    return String(value).trim();
  })
  customer!: string;

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => ItemDto)
  items!: ItemDto[];

  @IsOptional()
  @IsString()
  note?: string;
}

@Injectable()
class Orders {
  readonly seen: unknown[] = [];

  @Operator({ description: 'Orders' })
  order(input: OrderDto, context: OperatorContext): string {
    this.seen.push(input, context.toolCallId);
    return `${input.customer}: ${input.items.length}`;
  }
}

const validOrder = { customer: ' Ann ', items: [{ sku: 'a', count: 2 }], extra: 1 };

describe('a tool whose parameter is a DTO class', () => {
  let close = async (): Promise<void> => {};
  afterEach(() => close());

  async function order(args: object, pipe?: ValidationPipe) {
    transformed = 0;
    const model = new ScriptedProvider([
      { toolCalls: [{ name: 'order', arguments: args, id: 'c1' }] },
      { text: 'done' },
    ]);
    const agent = AgentBuilder.create('shop').model('m').tool('order');
    const module = await Test.createTestingModule({
      imports: [AgentModule.forRoot({ agents: [agent], llm: { provider: model } })],
      providers: [Orders, ...(pipe ? [{ provide: APP_PIPE, useValue: pipe }] : [])],
    }).compile();
    const app = await module.init();
    close = () => app.close();
    const output = await app.get(AgentLoopService).run('shop', 'an order');
    return { result: output.toolResults['c1'], seen: app.get(Orders).seen, app };
  }

  it('is described by it', async () => {
    const { app } = await order(validOrder);
    expect(app.get(OperatorRegistry).metadata('order').input?.jsonSchema).toMatchObject({
      type: 'object',
      required: ['customer', 'items'],
      properties: {
        items: { type: 'array', items: { properties: { count: { type: 'integer', minimum: 1 } } } },
      },
    });
  });

  it.each([
    ['without a global pipe', undefined],
    ['with a global pipe that transforms', new ValidationPipe({ transform: true, whitelist: true })],
  ])('gets an instance, transformed once, %s', async (_, pipe) => {
    const { result, seen } = await order(validOrder, pipe);
    expect(result).toBe('Ann: 1');
    expect(seen).toEqual([expect.any(OrderDto), 'c1']);
    expect((seen[0] as OrderDto).items[0]).toBeInstanceOf(ItemDto);
    expect(transformed).toBe(1);
  });

  it.each([
    ['without a global pipe', undefined],
    ['with a global pipe', new ValidationPipe()],
  ])('tells the model what does not fit, %s', async (_, pipe) => {
    const { result, seen } = await order({ customer: 'Ann', items: [{ sku: 'a', count: 0 }] }, pipe);
    expect(result).toMatchObject({
      error: { code: 'invalid_arguments', message: expect.stringMatching(/count/) },
    });
    expect(seen).toEqual([]);
  });
});
