import { Module } from '@nestjs/common';
import { LazyModuleLoader } from '@nestjs/core';
import { AgentBuilder, type AgentExecutionListener } from '@nestor/core';
import { describe, expect, it } from 'vitest';
import { toolApps, type ToolApp } from '../../../../test/support/tool-app.js';
import { AgentModule } from '../agent.module.js';
import { AgentRegistry } from './agent.registry.js';
import { AgentListener } from '../listeners/agent-listener.decorator.js';
import { Operator } from '../operators/operator.decorator.js';

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

describe('B138: a module that is loaded later', () => {
  const heard: string[] = [];
  @AgentListener()
  class Audit implements Partial<AgentExecutionListener> {
    onAgentLoopExited(_: unknown, { graphName }: { graphName: string }): void {
      heard.push(graphName);
    }
  }
  @Module({
    imports: [AgentModule.forFeature({ agents: [withAll('late')], operators: [Orders] })],
    providers: [Audit, Invoices],
  })
  class LateModule {}

  it('brings its tools, agents and listeners, once however often it is loaded', async () => {
    const app = await start({ providers: [Mail] });
    const loader = app.app.get(LazyModuleLoader);
    expect((await app.failure('findOrder')).code).toBe('unknown_tool');
    const [first, second] = await Promise.all([loader.load(() => LateModule), loader.load(() => LateModule)]);
    await loader.load(() => LateModule);
    heard.length = 0;

    expect(second).toBe(first);
    expect(await app.call('findOrder')).toBe('order');
    expect(offered(app)).toEqual(['findInvoice', 'findOrder', 'sendMail']);
    await app.agents.run('late', talk);
    expect(offered(app)).toEqual(['findInvoice', 'findOrder']);
    expect(heard).toEqual(['tester', 'late']);
    expect(app.app.get(AgentRegistry).names()).toEqual(['tester', 'late']);
  });

  it('rejects the load if it cannot be used, each time, and leaves the rest working', async () => {
    class OtherMail {
      @Operator()
      sendMail(): void {}
    }
    @Module({ providers: [OtherMail] })
    class BadModule {}
    const app = await start({ providers: [Mail] });
    const loader = app.app.get(LazyModuleLoader);

    await expect(loader.load(() => BadModule)).rejects.toThrow(
      /"sendMail".*Mail\.sendMail.*OtherMail\.sendMail/s,
    );
    await expect(loader.load(() => BadModule)).rejects.toThrow(/"sendMail"/);
    expect(await app.call('sendMail')).toBe('sent');
  });
});
