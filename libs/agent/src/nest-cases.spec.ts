import { forwardRef, Inject, Injectable, Module, type Provider } from '@nestjs/common';
import { AgentBuilder } from '@nestor/core';
import { describe, expect, it, vi } from 'vitest';
import { toolApps, type ToolApp } from '../../../test/support/tool-app.js';
import { AgentModule } from './agent.module.js';
import { Agent } from './agents/agent.js';
import { AgentLoopService } from './agents/agent-loop.service.js';
import { InjectAgent } from './agents/inject-agent.decorator.js';
import { Operator } from './operators/operator.decorator.js';

const start = toolApps();

/** The tools that the latest request offered the model. */
const offered = ({ provider }: ToolApp): string[] =>
  (provider.requests.at(-1)?.tools ?? []).map(({ name }) => name).sort();
const withAll = (id: string): AgentBuilder => AgentBuilder.create(id).model('m').tools('all');
const talk = JSON.stringify({ tool: 'nothing', args: {} });

class Orders {
  @Operator()
  findOrder(): string {
    return 'order';
  }
}

class Invoices {
  @Operator()
  findInvoice(): string {
    return 'invoice';
  }
}

class Mail {
  @Operator()
  sendMail(): string {
    return 'sent';
  }
}

describe('B136: agents of feature modules', () => {
  it('see the tools of their own module, of what it imports and of what that exports again, and no others', async () => {
    @Module({ providers: [Mail], exports: [Mail] })
    class MailModule {}
    class Hidden {
      @Operator()
      hide(): void {}
    }
    @Module({ providers: [Hidden], exports: [Hidden] })
    class HiddenModule {}
    @Module({ imports: [HiddenModule, MailModule], exports: [MailModule] })
    class SharedModule {}
    @Module({
      imports: [SharedModule, AgentModule.forFeature({ agents: [withAll('orders')] })],
      providers: [Orders],
    })
    class OrdersModule {}
    @Module({ imports: [AgentModule.forFeature({ agents: [withAll('invoices')], operators: [Invoices] })] })
    class InvoicesModule {}
    const app = await start({ imports: [OrdersModule, InvoicesModule] });

    await app.agents.run('orders', talk);
    expect(offered(app)).toEqual(['findOrder', 'sendMail']);
    await app.agents.run('invoices', talk);
    expect(offered(app)).toEqual(['findInvoice']);
    await app.agents.run('tester', talk);
    expect(offered(app)).toEqual(['findInvoice', 'findOrder', 'hide', 'sendMail']);
  });

  it('may name a tool from elsewhere', async () => {
    const named = withAll('orders').tool('findInvoice');
    @Module({ imports: [AgentModule.forFeature({ agents: [named] })], providers: [Orders] })
    class OrdersModule {}
    const app = await start({ imports: [OrdersModule], providers: [Invoices] });

    await app.agents.run('orders', talk);
    expect(offered(app)).toEqual(['findInvoice', 'findOrder']);
  });
});

describe('B140: odd providers', () => {
  it('do not stop the application, and their getters are not asked', async () => {
    const asked = vi.fn(() => {
      throw new Error('must not be asked');
    });
    class Touchy {
      get field(): unknown {
        return asked();
      }

      static get meta(): unknown {
        return asked();
      }
    }
    // Nest itself asks each provider for its hooks, its class, and whether it is a promise.
    const nests = /^(on|before)[A-Z]|^(then|constructor)$/;
    const proxy = new Proxy(
      {},
      {
        get: (_, key) => (typeof key === 'string' && nests.test(key) ? undefined : asked()),
        has: asked,
        getOwnPropertyDescriptor: asked,
        ownKeys: asked,
      },
    );
    const closed = new Proxy(proxy, {
      getPrototypeOf: () => {
        throw new Error('a proxy that hides its class');
      },
    });
    const values: unknown[] = [
      Object.create(null),
      proxy,
      new Touchy(),
      null,
      undefined,
      'text',
      7,
      10n,
      true,
      Symbol('s'),
      () => 0,
      function old() {},
      class Unused {},
      [1],
      new Map(),
      Object.freeze({ constructor: null }),
      { constructor: 'text' },
      Object.create({ constructor: 7 }),
    ];
    const providers: Provider[] = values.map((useValue, index) => ({ provide: `odd-${index}`, useValue }));
    const app = await start({
      providers: [
        ...providers,
        Touchy,
        { provide: Symbol('odd'), useFactory: () => null },
        { provide: 'proxy-made', useFactory: () => proxy },
        { provide: 'revoked-later', useFactory: () => closed },
        Mail,
      ],
    });

    expect(await app.call('sendMail')).toBe('sent');
    expect(asked).not.toHaveBeenCalled();
  });
});

describe('B144: a decorator that wraps the method', () => {
  const traces: string[] = [];
  const Traced: MethodDecorator = (_target, name, descriptor) => {
    const method = descriptor.value as unknown as (...args: unknown[]) => unknown;
    descriptor.value = function (this: unknown, ...args: unknown[]) {
      traces.push(String(name));
      return method.apply(this, args);
    } as never;
  };
  class Tools {
    ran = 0;

    @Operator()
    @Traced
    above(): number {
      return ++this.ran;
    }

    @Traced
    @Operator()
    below(): number {
      return ++this.ran;
    }
  }

  it.each(['above', 'below'])('is run once, and the tool is found with @Operator() %s it', async (tool) => {
    const app = await start({ providers: [Tools] });
    traces.length = 0;

    expect(await app.call(tool)).toBe('1');
    expect(traces).toEqual([tool]);
    expect(offered(app)).toEqual(['above', 'below']);
  });
});

describe('B150: modules that import each other', () => {
  it('start, with an operator that injects the runner and an agent that has that operator', async () => {
    @Injectable()
    class Delegate {
      constructor(@Inject(AgentLoopService) private readonly agents: AgentLoopService) {}

      @Operator()
      async delegate(): Promise<string> {
        return (await this.agents.run('helper', talk)).content;
      }
    }
    @Module({ imports: [forwardRef(() => FrontModule)], providers: [Delegate], exports: [Delegate] })
    class BackModule {}
    @Injectable()
    class Front {
      constructor(@InjectAgent('front') readonly agent: Agent) {}
    }
    @Module({
      imports: [
        forwardRef(() => BackModule),
        AgentModule.forFeature({ agents: [withAll('front')], imports: [forwardRef(() => BackModule)] }),
        AgentModule.forFeature({ agents: [AgentBuilder.create('helper').model('m')] }),
      ],
      providers: [Front],
    })
    class FrontModule {}
    const app = await start({ imports: [FrontModule] });

    const output = await app.app
      .get(Front, { strict: false })
      .agent.run(JSON.stringify({ tool: 'delegate', args: {} }));
    expect(output.messages.find(({ role }) => role === 'tool')?.content).toBe('done');
    expect(offered(app)).toEqual(['delegate']);
  });
});

describe('B152: forRoot twice', () => {
  it('is a boot error that names the importers and the remedy', async () => {
    @Module({ imports: [AgentModule.forRoot()] })
    class ShopModule {}
    await expect(start({ imports: [ShopModule] })).rejects.toThrow(
      /AgentModule\.forRoot is imported 2 times \(by .*ShopModule.*forFeature/s,
    );
  });

  it('is no error if both import the same module', async () => {
    const shared = AgentModule.forFeature({ agents: [withAll('shared')], operators: [Orders] });
    class A {}
    class B {}
    const app = await start({
      imports: [
        { module: A, imports: [shared] },
        { module: B, imports: [shared], providers: [Invoices] },
      ],
    });
    await app.agents.run('shared', talk);
    expect(offered(app)).toEqual(['findInvoice', 'findOrder']);
  });
});
