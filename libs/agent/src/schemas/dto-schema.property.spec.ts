import { Type } from 'class-transformer';
import {
  ArrayMinSize,
  IsArray,
  IsDate,
  IsEnum,
  IsInt,
  IsISO8601,
  IsObject,
  IsOptional,
  IsString,
  Min,
  ValidateNested,
} from 'class-validator';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { dtoInputSchema } from './dto-schema.js';

const numRuns = Number(process.env['PROPERTY_RUNS'] ?? 200);

enum Priority {
  Low,
  High,
}

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
  @IsObject()
  extra?: Record<string, unknown>;
}

class Plan {
  @IsEnum(Priority)
  priority!: Priority;
  @ValidateNested({ each: true })
  @Type(() => Order)
  orders!: Order[];
  @IsOptional()
  @ValidateNested()
  @Type(() => Plan)
  inner?: Plan;
  @IsOptional()
  @IsISO8601()
  day?: string;
  @IsOptional()
  @Type(() => Date)
  @IsDate()
  at?: Date;
}

/** Mostly what fits, sometimes any JSON in its place. */
const or = (fitting: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 9, arbitrary: fitting }, { weight: 1, arbitrary: fc.jsonValue() });
const item = or(fc.record({ sku: or(fc.string()), price: or(fc.integer({ min: 1, max: 9 })) }));
const order = or(
  fc.record(
    {
      items: or(fc.array(item, { minLength: 1, maxLength: 3 })),
      extra: or(fc.dictionary(fc.string(), fc.jsonValue())),
    },
    { requiredKeys: ['items'] },
  ),
);
const { plan } = fc.letrec((tie) => ({
  plan: or(
    fc.record(
      {
        priority: or(fc.constantFrom(0, 1)),
        orders: or(fc.array(order, { maxLength: 2 })),
        inner: fc.option(tie('plan'), { maxDepth: 2 }),
        day: or(fc.constant('2026-11-30')),
        at: or(fc.constant('2026-11-30T10:00:00Z')),
      },
      { requiredKeys: ['priority', 'orders'] },
    ),
  ),
}));

function expectPlan(made: Plan): void {
  expect(made).toBeInstanceOf(Plan);
  expect([0, 1]).toContain(made.priority);
  for (const each of made.orders) {
    expect(each).toBeInstanceOf(Order);
    for (const one of each.items) expect(one).toBeInstanceOf(Item);
  }
  expect(made.at?.getTime()).not.toBeNaN();
  if (made.inner) expectPlan(made.inner);
}

it('never throws for any JSON, and what it accepts is what the class declares', async () => {
  const schema = dtoInputSchema(Plan, 'operator "plan" (Planner.plan)');
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(plan, async (value) => {
      const result = await schema.validate(value);
      expect(result.ok || result.issues.length > 0).toBe(true);
      if (!result.ok) return;
      accepted++;
      expectPlan(result.value as Plan);
    }),
    { numRuns },
  );
  expect(accepted).toBeGreaterThan(0);
});
