import { Controller, Get, Inject, Injectable, Req, Scope, UseGuards } from '@nestjs/common';
import { ContextIdFactory, REQUEST, type ContextId, type HostComponentInfo } from '@nestjs/core';
import { describe, expect, it } from 'vitest';
import { AgentLoopService } from '../agents/agent-loop.service.js';
import { asking, PLATFORMS, toolApps, toolText } from '../../../../test/support/tool-app.js';
import { Operator } from './operator.decorator.js';

const start = toolApps();

let made = 0;

@Injectable({ scope: Scope.REQUEST })
class Session {
  readonly number = ++made;

  constructor(@Inject(REQUEST) readonly request: { readonly user?: string }) {}
}

@Injectable()
class Orders {
  readonly number = ++made;

  constructor(readonly session: Session) {}

  @Operator()
  orders(): string {
    return `${this.number}: ${this.session.request.user}`;
  }
}

describe('scoped tools', () => {
  it('B134: have an instance per call, with the caller as REQUEST, also deep in the tree of a singleton', async () => {
    const app = await start({ providers: [Orders, Session] });
    const callers = ['Ann', 'Bob', 'Cid'].map((user) => ({ user }));
    const texts = await Promise.all(callers.map((caller) => app.call('orders', {}, { caller })));

    expect(texts.map((text) => text.split(': ')[1])).toEqual(['Ann', 'Bob', 'Cid']);
    expect(new Set(texts.map((text) => text.split(': ')[0])).size).toBe(3);
    expect(await app.call('orders')).toMatch(/: undefined$/);
  });

  it('B134: have an instance per call when they are transient', async () => {
    let count = 0;
    @Injectable({ scope: Scope.TRANSIENT })
    class Ticket {
      readonly number = ++count;

      @Operator()
      ticket(): number {
        return this.number;
      }
    }
    const app = await start({ providers: [Ticket] });
    const first = Number(await app.call('ticket'));
    expect(Number(await app.call('ticket'))).toBeGreaterThan(first);
  });

  it('B134: keep the guards of their class', async () => {
    @Injectable({ scope: Scope.REQUEST })
    @UseGuards({ canActivate: () => false })
    class Closed {
      @Operator()
      closed(): string {
        return 'open';
      }
    }
    const app = await start({ providers: [Closed] });
    expect((await app.failure('closed')).code).toBe('denied');
  });

  it.each(PLATFORMS)('B134: share the instance of an HTTP request that has one, on %s', async (platform) => {
    @Controller()
    class OrdersController {
      constructor(
        private readonly agents: AgentLoopService,
        private readonly session: Session,
      ) {}

      @Get('same')
      async same(@Req() request: object): Promise<object> {
        const output = await this.agents.run('tester', asking('whichSession'), { caller: request });
        return { tool: toolText(output), http: this.session.number };
      }

      @Get('wrapped')
      async wrapped(@Req() request: object): Promise<object> {
        const caller = { raw: request, user: 'of the wrapper' };
        const output = await this.agents.run('tester', asking('requestUser'), { caller });
        return { user: toolText(output) };
      }
    }
    @Injectable({ scope: Scope.REQUEST })
    class RequestUser {
      constructor(
        @Inject(REQUEST) private readonly request: { readonly user?: string; readonly url?: string },
      ) {}

      @Operator()
      requestUser(): string {
        return `${this.request.user} at ${this.request.url}`;
      }
    }
    @Injectable()
    class WhichSession {
      constructor(private readonly session: Session) {}

      @Operator()
      whichSession(): number {
        return this.session.number;
      }
    }
    const app = await start(
      { providers: [Session, WhichSession, RequestUser], controllers: [OrdersController] },
      { platform },
    );
    await app.app.listen(0, '127.0.0.1');
    const bodies = await Promise.all(
      [1, 2, 3].map(
        async () =>
          (await fetch(`${await app.app.getUrl()}/same`)).json() as Promise<Record<string, unknown>>,
      ),
    );

    for (const { tool, http } of bodies) expect(tool).toBe(String(http));
    expect(new Set(bodies.map(({ http }) => http)).size).toBe(3);
    const wrapped = await fetch(`${await app.app.getUrl()}/wrapped`);
    expect(await wrapped.json()).toEqual({ user: 'undefined at /wrapped' });
  });

  it('are one per tenant when they are durable', async () => {
    const contexts = new Map<string, ContextId>();
    const strategy = ContextIdFactory as unknown as { strategy: unknown };
    ContextIdFactory.apply({
      attach: (contextId: ContextId, request: { readonly tenant: string }) => {
        const tenant = contexts.get(request.tenant) ?? ContextIdFactory.create();
        contexts.set(request.tenant, tenant);
        return {
          resolve: (info: HostComponentInfo) => (info.isTreeDurable ? tenant : contextId),
          payload: { tenantId: request.tenant },
        };
      },
    });
    let pools = 0;
    @Injectable({ scope: Scope.REQUEST, durable: true })
    class Pool {
      readonly number = ++pools;

      constructor(@Inject(REQUEST) private readonly tenant: { readonly tenantId: string }) {}

      @Operator()
      pool(): string {
        return `${this.tenant.tenantId} ${this.number}`;
      }
    }
    try {
      const app = await start({ providers: [Pool] });
      const of = (tenant: string): Promise<string> => app.call('pool', {}, { caller: { tenant } });
      const first = await of('north');
      expect(first).toMatch(/^north /);
      expect(await of('north')).toBe(first);
      expect(await of('south')).toMatch(/^south /);
    } finally {
      strategy.strategy = undefined;
    }
  });
});
