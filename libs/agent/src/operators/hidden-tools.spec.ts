import { Inject, Injectable, Scope, UseGuards, type CanActivate } from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import { describe, expect, it } from 'vitest';
import { toolApps, type ToolApp } from '../../../../test/support/tool-app.js';
import { Operator } from './operator.decorator.js';

const start = toolApps();

describe('hideDeniedTools', () => {
  class Vault {
    @Operator()
    @UseGuards({
      canActivate: (context: { switchToHttp(): { getRequest(): { readonly role?: string } } }) =>
        context.switchToHttp().getRequest().role === 'admin',
    })
    empty(): string {
      return 'emptied';
    }

    @Operator()
    @UseGuards({
      canActivate: () => {
        throw new Error('no directory');
      },
    })
    broken(): void {}

    @Operator()
    look(): string {
      return 'gold';
    }
  }
  const offered = async (app: ToolApp, caller: unknown): Promise<unknown> => {
    await app.call('look', {}, { caller });
    return app.provider.requests.at(-1)?.tools?.map(({ name }) => name);
  };

  it('keeps from the model what the guards would deny the caller', async () => {
    const app = await start({ providers: [Vault] }, { options: { hideDeniedTools: true } });

    expect(await offered(app, { role: 'admin' })).toEqual(['empty', 'look']);
    expect(await offered(app, { role: 'guest' })).toEqual(['look']);
    expect(await offered(app, undefined)).toEqual(['look']);
    expect((await app.failure('empty', {}, { caller: { role: 'guest' } })).code).toBe('unknown_tool');
    expect(await app.call('empty', {}, { caller: { role: 'admin' } })).toBe('emptied');
  });

  it('asks request-scoped guards too, with the caller of the run', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class Scoped implements CanActivate {
      constructor(@Inject(REQUEST) private readonly request: { readonly role?: string }) {}

      canActivate(): boolean {
        return this.request.role === 'admin';
      }
    }
    class Cellar {
      @Operator()
      @UseGuards(Scoped)
      descend(): void {}
    }
    const app = await start({ providers: [Vault, Cellar] }, { options: { hideDeniedTools: true } });

    expect(await offered(app, { role: 'admin' })).toEqual(['empty', 'look', 'descend']);
    expect(await offered(app, { role: 'guest' })).toEqual(['look']);
  });

  it('is off by default: the call is denied', async () => {
    const app = await start({ providers: [Vault] });

    expect(await offered(app, { role: 'guest' })).toEqual(['empty', 'broken', 'look']);
    expect((await app.failure('empty', {}, { caller: { role: 'guest' } })).code).toBe('denied');
  });
});
