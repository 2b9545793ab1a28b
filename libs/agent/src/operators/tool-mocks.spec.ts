import { Injectable, UseGuards, type CanActivate } from '@nestjs/common';
import { describe, expect, it } from 'vitest';
import { toolApps } from '../../../../test/support/tool-app.js';
import { Operator } from './operator.decorator.js';

const start = toolApps();

@Injectable()
class OwnersOnly implements CanActivate {
  canActivate(context: { switchToHttp(): { getRequest(): { readonly owner?: boolean } } }): boolean {
    return context.switchToHttp().getRequest().owner === true;
  }
}

@Injectable()
@UseGuards(OwnersOnly)
class Bank {
  @Operator()
  balance(args: { readonly account?: string }): string {
    return `real ${args.account}`;
  }
}

const owner = { caller: { owner: true } };

describe('mocks of tools', () => {
  class FakeBank {
    balance(args: { readonly account?: string }): string {
      return `fake ${args.account}`;
    }
  }

  it.each([
    ['useValue', (given: object) => ({ useValue: given })],
    ['useFactory', (given: object) => ({ useFactory: () => given })],
  ])('by overrideProvider().%s stand behind the guards of the class', async (_, how) => {
    const override = how({ balance: ({ account }: { account: string }) => `fake ${account}` });
    const app = await start(
      { providers: [Bank] },
      {
        override: (builder) => {
          const place = builder.overrideProvider(Bank);
          return 'useValue' in override
            ? place.useValue(override.useValue)
            : place.useFactory({ factory: override.useFactory });
        },
      },
    );
    expect(await app.call('balance', { account: 'A' }, owner)).toBe('fake A');
    expect((await app.failure('balance')).code).toBe('denied');
  });

  it('by overrideProvider().useClass stand behind the guards of the class', async () => {
    const app = await start(
      { providers: [Bank] },
      { override: (builder) => builder.overrideProvider(Bank).useClass(FakeBank) },
    );
    expect(await app.call('balance', { account: 'A' }, owner)).toBe('fake A');
    expect((await app.failure('balance')).code).toBe('denied');
  });

  it.each([[{}], [null], [undefined], ['text']])('that lack the method (%j) say so', async (value) => {
    const app = await start(
      { providers: [Bank] },
      { override: (builder) => builder.overrideProvider(Bank).useValue(value) },
    );
    expect(await app.failure('balance', {}, owner)).toEqual({
      code: 'failed',
      message: 'What stands in for Bank has no method "balance".',
    });
  });
});

describe('the same class in two modules', () => {
  it('is one tool, with its guards', async () => {
    class First {}
    class Second {}
    const app = await start({
      imports: [
        { module: First, providers: [Bank] },
        { module: Second, providers: [Bank] },
      ],
    });
    expect(await app.call('balance', { account: 'A' }, owner)).toBe('real A');
    expect((await app.failure('balance')).code).toBe('denied');
    expect(app.provider.requests[0]?.tools?.map(({ name }) => name)).toEqual(['balance']);
  });

  it('is guarded wherever else the guard stands', async () => {
    const app = await start({ providers: [{ provide: 'BANK', useClass: Bank }] });
    expect((await app.failure('balance')).code).toBe('denied');
    expect(await app.call('balance', { account: 'A' }, owner)).toBe('real A');
  });
});
