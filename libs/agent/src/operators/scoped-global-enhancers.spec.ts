import { Inject, Injectable, Module, Scope, type CanActivate, type Provider } from '@nestjs/common';
import { APP_GUARD, APP_PIPE, LazyModuleLoader, REQUEST } from '@nestjs/core';
import { describe, expect, it } from 'vitest';
import { toolApps } from '../../../../test/support/tool-app.js';
import { Operator } from './operator.decorator.js';

const start = toolApps();

@Injectable({ scope: Scope.REQUEST })
class MembersOnly implements CanActivate {
  constructor(@Inject(REQUEST) private readonly request: { readonly member?: boolean }) {}

  canActivate(): boolean {
    return this.request.member === true;
  }
}

/** A stand-in for whatever class a library brings. */
class Club {
  @Operator()
  enter(): string {
    return 'entered';
  }
}

const guard: Provider = { provide: APP_GUARD, useClass: MembersOnly };
const member = { caller: { member: true } };

describe('a request-scoped global guard', () => {
  it.each<[string, Provider]>([
    ['a class', Club],
    ['useClass', { provide: 'CLUB', useClass: Club }],
    ['useFactory', { provide: 'CLUB', useFactory: () => new Club() }],
    ['useValue', { provide: 'CLUB', useValue: new Club() }],
  ])('stands before a tool that is provided by %s', async (_, provider) => {
    const app = await start({ providers: [guard, provider] });

    expect((await app.failure('enter')).code).toBe('denied');
    expect(await app.call('enter', {}, member)).toBe('entered');
  });

  it('stands before a mock', async () => {
    const app = await start(
      { providers: [guard, Club] },
      { override: (builder) => builder.overrideProvider(Club).useValue({ enter: () => 'mocked' }) },
    );

    expect((await app.failure('enter')).code).toBe('denied');
    expect(await app.call('enter', {}, member)).toBe('mocked');
  });

  it('stands before a tool of a module that is loaded later', async () => {
    @Module({ providers: [Club] })
    class ClubModule {}
    const app = await start({ providers: [guard] });
    await app.app.get(LazyModuleLoader).load(() => ClubModule);

    expect((await app.failure('enter')).code).toBe('denied');
    expect(await app.call('enter', {}, member)).toBe('entered');
  });
});

describe('a request-scoped global pipe', () => {
  it('sees the arguments of each call', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class Stamp {
      constructor(@Inject(REQUEST) private readonly request: { readonly name?: string }) {}

      transform(value: unknown, { type }: { readonly type: string }): unknown {
        return type === 'body' ? { stampedFor: this.request.name } : value;
      }
    }
    class Post {
      @Operator()
      send(letter: object): object {
        return letter;
      }
    }
    const app = await start({ providers: [Post, { provide: APP_PIPE, useClass: Stamp }] });
    expect(await app.call('send', {}, { caller: { name: 'Ann' } })).toBe('{"stampedFor":"Ann"}');
  });
});
