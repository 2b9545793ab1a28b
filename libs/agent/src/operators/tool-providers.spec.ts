import { Injectable, UseGuards, type CanActivate } from '@nestjs/common';
import { describe, expect, it } from 'vitest';
import { toolApps } from '../../../../test/support/tool-app.js';
import { Operator } from './operator.decorator.js';

const start = toolApps();

class Shop {
  constructor(readonly stock = 3) {}

  @Operator()
  count(): number {
    return this.stock;
  }
}

describe('a tool is found however its class is provided', () => {
  it.each([
    ['as class', Shop],
    ['by useClass', { provide: 'SHOP', useClass: Shop }],
    ['by useFactory', { provide: 'SHOP', useFactory: () => new Shop() }],
    ['by an asynchronous useFactory', { provide: 'SHOP', useFactory: async () => new Shop() }],
    ['by useValue', { provide: 'SHOP', useValue: new Shop() }],
  ])('%s', async (_, provider) => {
    const app = await start({
      providers: [
        { provide: 'DUMMY', useValue: 0 },
        provider as typeof Shop,
        { provide: Number, useValue: 3 },
      ],
    });
    expect(await app.call('count')).toBe('3');
  });

  it('once, though useExisting gives it a second name', async () => {
    @Injectable()
    class Pass implements CanActivate {
      canActivate(): boolean {
        return true;
      }
    }
    class Plain {
      @Operator()
      @UseGuards(Pass)
      once(): string {
        return 'once';
      }
    }
    class PlainModule {}
    const app = await start({
      imports: [{ module: PlainModule, providers: [Plain], exports: [Plain] }],
      providers: [{ provide: 'OTHER', useExisting: Plain }],
    });
    expect(await app.call('once')).toBe('once');
    expect(app.provider.requests[0]?.tools).toHaveLength(1);
  });

  it('with its inherited methods, but not those that a subclass overrides without decorating', async () => {
    class Base {
      @Operator()
      kept(): string {
        return `kept by ${this.constructor.name}`;
      }

      @Operator()
      replaced(): string {
        return 'base';
      }

      @Operator()
      hidden(): string {
        return 'base';
      }
    }
    class Derived extends Base {
      @Operator({ name: 'renewed' })
      override replaced(): string {
        return `derived of ${super.replaced()}`;
      }

      override hidden(): string {
        return 'derived';
      }
    }
    const app = await start({ providers: [Derived] });

    expect(await app.call('kept')).toBe('kept by Derived');
    expect(await app.call('renewed')).toBe('derived of base');
    expect((await app.failure('hidden')).code).toBe('unknown_tool');
    expect((await app.failure('replaced')).code).toBe('unknown_tool');
  });

  it('as a class with execute, without @Injectable()', async () => {
    @Operator({ description: 'Greets' })
    class Greeter {
      constructor(private readonly shop: Shop) {}

      execute({ name }: { readonly name: string }): string {
        return `Hello ${name}, ${this.shop.stock} left`;
      }
    }
    const app = await start({ providers: [Greeter, { provide: Shop, useValue: new Shop(5) }] });
    expect(await app.call('Greeter', { name: 'Ann' })).toBe('Hello Ann, 5 left');
  });
});
