import { Inject, Injectable, Logger, Scope, type Provider } from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import { EventEmitter2, EventEmitterModule, OnEvent } from '@nestjs/event-emitter';
import type { AgentCallbackContext, AgentExecutionListener, LoopExitedPayload } from '@nestor/core';
import { describe, expect, it, vi } from 'vitest';
import { recordingListener } from '../../../../test/support/scripted-agent.js';
import { asking, toolApps } from '../../../../test/support/tool-app.js';
import { Operator } from '../operators/operator.decorator.js';
import { AgentListener } from './agent-listener.decorator.js';

const start = toolApps();

class Clock {
  @Operator()
  time(): string {
    return 'noon';
  }
}

const ALL = [
  'onAgentTurnStarted',
  'onAgentLlmCalled',
  'onAgentToolDispatched',
  'onAgentToolCompleted',
  'onAgentTurnStarted',
  'onAgentLlmCalled',
  'onAgentLoopExited',
];

const heard: string[] = [];

@AgentListener()
class First implements Partial<AgentExecutionListener> {
  onAgentTurnStarted(): void {
    heard.push('first');
  }

  onAgentLoopExited(): void {
    heard.push('first exit');
  }
}

@AgentListener()
class Second extends First {
  override onAgentTurnStarted(): void {
    heard.push('second');
  }
}

/** Listens although only its parent is decorated. */
class Third extends First {
  override onAgentTurnStarted(): void {
    heard.push('third');
  }
}

describe('listeners', () => {
  it('hear every run, in the order they are registered, then those of the run', async () => {
    const app = await start({ providers: [Third, First, Second, Clock] });
    heard.length = 0;
    await app.agents.run('tester', asking('nothing'), {
      listeners: [{ onAgentTurnStarted: () => void heard.push('of the run') }],
    });

    expect(heard.slice(0, 4)).toEqual(['third', 'first', 'second', 'of the run']);
    expect(heard.filter((text) => text === 'first exit')).toHaveLength(3);
  });

  it.each<[string, (listener: object) => Provider]>([
    ['useValue', (listener) => ({ provide: 'AUDIT', useValue: listener })],
    ['useFactory', (listener) => ({ provide: 'AUDIT', useFactory: () => listener })],
  ])('are found by their class if they are provided by %s', async (_, provide) => {
    const app = await start({ providers: [provide(new First())] });
    heard.length = 0;
    await app.agents.run('tester', asking('nothing'));
    expect(heard.at(-1)).toBe('first exit');
  });

  it('hear once, though useExisting gives them a second name', async () => {
    const app = await start({ providers: [{ provide: 'AUDIT', useExisting: First }, First] });
    heard.length = 0;
    await app.agents.run('tester', asking('nothing'));
    expect(heard).toEqual(['first', 'first', 'first exit']);
  });

  it('may be mocked', async () => {
    const mock = recordingListener();
    const app = await start(
      { providers: [First, Clock] },
      { override: (builder) => builder.overrideProvider(First).useValue(mock) },
    );
    await app.call('time');
    expect(mock.heard.map(({ name }) => name)).toEqual(ALL);
  });

  it('that throw or reject hurt neither the run nor the others', async () => {
    @AgentListener()
    class Broken implements Partial<AgentExecutionListener> {
      onAgentTurnStarted(): void {
        throw new Error('broken');
      }

      async onAgentLlmCalled(): Promise<void> {
        throw new Error('broken later');
      }
    }
    const warn = vi.spyOn(Logger.prototype, 'warn').mockImplementation(() => {});
    const app = await start({ providers: [Broken, First, Clock] });
    heard.length = 0;

    expect(await app.call('time')).toBe('noon');
    expect(heard).toEqual(['first', 'first', 'first exit']);
    const said = warn.mock.calls.map(([text]) => String(text));
    expect(said.filter((text) => text.includes('Broken.onAgentTurnStarted'))).toHaveLength(1);
    expect(said.filter((text) => text.includes('Broken.onAgentLlmCalled'))).toHaveLength(1);
  });

  @Injectable({ scope: Scope.REQUEST })
  class Tenant {}

  @Injectable({ scope: Scope.REQUEST })
  @AgentListener()
  class RequestScoped {
    constructor(@Inject(REQUEST) readonly request: unknown) {}
  }

  @Injectable({ scope: Scope.TRANSIENT })
  @AgentListener()
  class Transient {}

  @AgentListener()
  class Dependent {
    constructor(readonly tenant: Tenant) {}
  }

  it.each<[string, Provider[]]>([
    ['RequestScoped', [RequestScoped]],
    ['Transient', [Transient]],
    ['Dependent', [Dependent, Tenant]],
  ])('of which there is no single instance are a boot error: %s', async (name, providers) => {
    await expect(start({ providers })).rejects.toThrow(new RegExp(`${name}.*hears every run`, 's'));
  });
});

describe('with @nestjs/event-emitter', () => {
  it('@OnEvent hears each callback with payload and context, wildcards too', async () => {
    const events: unknown[][] = [];
    const wild: unknown[] = [];
    @Injectable()
    class Reports {
      @OnEvent('agent.loop.exited')
      exited(...given: unknown[]): void {
        events.push(given);
      }

      @OnEvent('agent.**')
      anything(payload: unknown): void {
        wild.push(payload);
      }
    }
    const app = await start({
      imports: [EventEmitterModule.forRoot({ wildcard: true })],
      providers: [Reports, Clock],
    });
    await app.agents.run('tester', asking('time'), { runId: 'r1', sessionId: 's1' });

    expect(wild).toHaveLength(ALL.length);
    const [payload, context] = events[0] as [LoopExitedPayload, AgentCallbackContext];
    expect(events).toHaveLength(1);
    expect(payload).toMatchObject({ exitReason: 'stop', totalTurns: 2, totalLlmCalls: 2 });
    expect(context).toMatchObject({ executionId: 'r1', graphName: 'tester', sessionId: 's1' });
  });

  it('emits the five names in order', async () => {
    const names: string[] = [];
    const app = await start({ imports: [EventEmitterModule.forRoot()], providers: [Clock] });
    app.app.get(EventEmitter2).onAny((name) => names.push(String(name)));
    await app.call('time');

    expect(names).toEqual([
      'agent.turn.started',
      'agent.llm.called',
      'agent.tool.dispatched',
      'agent.tool.completed',
      'agent.turn.started',
      'agent.llm.called',
      'agent.loop.exited',
    ]);
  });

  it('handlers that fail hurt nothing, also if they may throw', async () => {
    @Injectable()
    class Failing {
      @OnEvent('agent.turn.started', { suppressErrors: false })
      async started(): Promise<void> {
        throw new Error('handler');
      }

      @OnEvent('agent.llm.called', { suppressErrors: false })
      called(): void {
        throw new Error('handler');
      }
    }
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    try {
      const app = await start({ imports: [EventEmitterModule.forRoot()], providers: [Failing, Clock] });
      expect(await app.call('time')).toBe('noon');
      await new Promise((resolve) => setImmediate(resolve));
      expect(unhandled).not.toHaveBeenCalled();
    } finally {
      process.off('unhandledRejection', unhandled);
    }
  });

  it('is not needed', async () => {
    const app = await start({ providers: [Clock, First] });
    heard.length = 0;
    expect(await app.call('time')).toBe('noon');
    expect(heard).toContain('first exit');
  });
});
