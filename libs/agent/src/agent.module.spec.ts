import { Injectable, Module, type DynamicModule, type INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { AgentBuilder, ScriptedProvider } from '@nestor/core';
import { afterEach, describe, expect, it } from 'vitest';
import { startToolApp } from '../../../test/support/tool-app.js';
import type { AgentModuleOptions } from './agent-module.options.js';
import { AgentModule } from './agent.module.js';
import { Agent } from './agents/agent.js';
import { AgentLoopService } from './agents/agent-loop.service.js';
import { AgentRegistry } from './agents/agent.registry.js';
import { InjectAgent } from './agents/inject-agent.decorator.js';
import { Operator } from './operators/operator.decorator.js';

const closing: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const app of closing.splice(0)) await app.close();
});

const support = AgentBuilder.create('support').model('default');

async function boot(...imports: (DynamicModule | (new () => object))[]): Promise<INestApplication> {
  const app = (await Test.createTestingModule({ imports }).compile()).createNestApplication();
  app.useLogger(false);
  closing.push(app);
  return app.init();
}

const answering = (text: string): ScriptedProvider => new ScriptedProvider(() => ({ text }));
const ask = async (app: INestApplication): Promise<string> =>
  (await app.get(AgentLoopService).run('support', 'Hello')).content;

describe('AgentModule.forRootAsync', () => {
  @Injectable()
  class Settings {
    readonly greeting = 'from the settings';

    createAgentOptions(): AgentModuleOptions {
      return { llm: { provider: answering(this.greeting) } };
    }
  }
  @Module({ providers: [Settings], exports: [Settings] })
  class SettingsModule {}

  it.each<[string, DynamicModule]>([
    [
      'useFactory, inject and imports',
      AgentModule.forRootAsync({
        agents: [support],
        imports: [SettingsModule],
        inject: [Settings],
        useFactory: async (settings: Settings) => settings.createAgentOptions(),
      }),
    ],
    ['useClass', AgentModule.forRootAsync({ agents: [support], useClass: Settings })],
    [
      'useExisting and imports',
      AgentModule.forRootAsync({ agents: [support], imports: [SettingsModule], useExisting: Settings }),
    ],
  ])('takes its options by %s', async (_, root) => {
    expect(await ask(await boot(root))).toBe('from the settings');
  });

  it('passes on what the factory throws', async () => {
    const root = AgentModule.forRootAsync({
      useFactory: () => {
        throw new Error('no vault');
      },
    });
    await expect(boot(root)).rejects.toThrow('no vault');
  });
});

describe('AgentModule.forRoot', () => {
  it('needs no arguments where the environment says the rest', async () => {
    const { env } = process;
    const before = { ...env };
    Object.assign(env, { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1', LLM_MODEL: 'local-model' });
    try {
      const app = await boot(AgentModule.forRoot());
      expect(app.get(AgentRegistry).names()).toEqual([]);
      await expect(app.get(AgentLoopService).run('support', 'Hello')).rejects.toThrow(
        'There is no agent "support". Known agents: none.',
      );
    } finally {
      for (const name of ['OPENAI_BASE_URL', 'LLM_MODEL']) {
        if (before[name] === undefined) delete env[name];
        else env[name] = before[name];
      }
    }
  });

  const root = (isGlobal?: boolean): DynamicModule =>
    AgentModule.forRoot({
      agents: [support],
      llm: { provider: answering('hello') },
      ...(isGlobal !== undefined && { isGlobal }),
    });
  @Injectable()
  class Desk {
    constructor(
      readonly agents: AgentLoopService,
      @InjectAgent('support') readonly agent: Agent,
    ) {}
  }
  @Module({ providers: [Desk], exports: [Desk] })
  class DeskModule {}

  it('is seen by all modules', async () => {
    const app = await boot(root(), DeskModule);
    const desk = app.get(Desk);
    expect(desk.agents).toBe(app.get(AgentLoopService));
    expect(desk.agent.name).toBe('support');
    expect((await desk.agent.run('Hi')).content).toBe('hello');
    expect((await desk.agent.stream('Hi').output()).content).toBe('hello');
  });

  it('with isGlobal false is seen by the modules that import it only', async () => {
    const shared = root(false);
    await expect(boot(shared, DeskModule)).rejects.toThrow(/AgentLoopService.*DeskModule/s);
    const app = await boot(shared, { module: class Importing {}, imports: [shared], providers: [Desk] });
    expect((await app.get(Desk, { strict: false }).agent.run('Hi')).content).toBe('hello');
  });

  it('is refused with two agents of one id, wherever they are defined', async () => {
    const feature = AgentModule.forFeature({ agents: [AgentBuilder.create('support').model('m')] });
    await expect(boot(root(), feature)).rejects.toThrow('Agent "support" is defined twice.');
  });

  it('is refused with an agent whose tool has an unknown operator', async () => {
    class Library {
      @Operator()
      searchBooks(): void {}
    }
    const agents = [AgentBuilder.create('librarian').model('m').tool('serchBooks')];
    const feature = AgentModule.forFeature({ agents, operators: [Library] });
    await expect(boot(root(), feature)).rejects.toThrow(
      /librarian.*"serchBooks".*Did you mean "searchBooks"/s,
    );
  });

  it('gives two applications of one process nothing in common', async () => {
    class Counter {
      counted = 0;

      @Operator()
      count(): number {
        return ++this.counted;
      }
    }
    const first = await startToolApp({ providers: [Counter] });
    const second = await startToolApp({ providers: [Counter] });
    closing.push(first, second);

    expect([await first.call('count'), await first.call('count'), await second.call('count')]).toEqual([
      '1',
      '2',
      '1',
    ]);
    expect(first.provider.requests).toHaveLength(4);
    expect(second.provider.requests).toHaveLength(2);
    await first.close();
    closing.splice(closing.indexOf(first), 1);
    expect(await second.call('count')).toBe('2');
  });
});

describe('AgentModule.forFeature', () => {
  it('provides its operators with what they inject, and exports them', async () => {
    @Injectable()
    class Store {
      readonly books = 12;
    }
    @Module({ providers: [Store], exports: [Store] })
    class StoreModule {}
    @Injectable()
    class Library {
      constructor(readonly store: Store) {}

      @Operator()
      countBooks(): number {
        return this.store.books;
      }
    }
    @Injectable()
    class Reader {
      constructor(
        @InjectAgent('librarian') readonly agent: Agent,
        readonly library: Library,
      ) {}
    }
    @Module({
      imports: [
        AgentModule.forFeature({
          agents: [AgentBuilder.create('librarian').model('m').tools('all')],
          operators: [Library],
          imports: [StoreModule],
        }),
      ],
      providers: [Reader],
    })
    class LibraryModule {}
    const app = await startToolApp({ imports: [LibraryModule] });
    closing.push(app);
    const reader = app.app.get(Reader, { strict: false });

    const output = await reader.agent.run('{"tool":"countBooks","args":{}}');
    expect(output.messages.find(({ role }) => role === 'tool')?.content).toBe('12');
    expect(reader.library.store.books).toBe(12);
  });

  it('refuses an agent that cannot be built where it is called', () => {
    expect(() => AgentModule.forFeature({ agents: [AgentBuilder.create('x')] })).toThrow(/"x"|model/);
  });
});
