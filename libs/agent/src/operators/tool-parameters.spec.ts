import { Body, Controller, Get, Inject, Injectable, Post, Query, Req } from '@nestjs/common';
import { OperatorContext } from '@nestor/core';
import { describe, expect, it } from 'vitest';
import { toolApps } from '../../../../test/support/tool-app.js';
import { Caller } from './caller.decorator.js';
import { Operator } from './operator.decorator.js';
import { ToolContext } from './tool-context.decorator.js';
import { completeParameters, PARAMETERS_KEY } from './tool-parameters.js';

const start = toolApps();

const caller = { user: { name: 'Ann' } };

/** Keeps what its methods were called with. */
class Tools {
  given: unknown[] = [];

  protected note(...given: unknown[]): string {
    this.given = given;
    return 'ok';
  }
}

class Desk extends Tools {
  @Operator()
  plain(args: unknown, context: OperatorContext): string {
    return this.note(args, context);
  }

  @Operator()
  argumentsOnly(args: unknown): string {
    return this.note(args);
  }

  @Operator()
  contextOnly(@ToolContext() context: OperatorContext): string {
    return this.note(context);
  }

  @Operator()
  callerFirst(@Caller() who: unknown, args: unknown, context: OperatorContext): string {
    return this.note(who, args, context);
  }

  @Operator()
  callerLast(args: unknown, context: OperatorContext, @Caller() who: unknown): string {
    return this.note(args, context, who);
  }

  @Operator()
  bodyParts(
    @Body('city') city: unknown,
    @Body('toString') missing: unknown,
    context: OperatorContext,
  ): string {
    return this.note(city, missing, context);
  }

  @Operator()
  bodyWhole(@ToolContext() context: OperatorContext, @Body() args: unknown): string {
    return this.note(context, args);
  }

  @Operator()
  requestParts(@Req() request: unknown, @Query('city') query: unknown, args: unknown): string {
    return this.note(request, query, args);
  }

  @Operator()
  withDefault(args: unknown, context: OperatorContext, extra = 'default'): string {
    return this.note(args, context, extra);
  }

  @Operator()
  none(...all: unknown[]): string {
    return this.note(...all);
  }
}

describe('the parameters of a tool', () => {
  const args = { city: 'Oslo' };
  const context = expect.any(OperatorContext);

  it.each([
    ['plain', [args, context]],
    ['argumentsOnly', [args]],
    ['contextOnly', [context]],
    ['callerFirst', [caller, args, context]],
    ['callerLast', [args, context, caller]],
    ['bodyParts', ['Oslo', undefined, context]],
    ['bodyWhole', [context, args]],
    ['requestParts', [caller, undefined, args]],
    ['withDefault', [args, context, 'default']],
    ['none', [args, context]],
  ])('%s are what they ask for', async (tool, expected) => {
    const app = await start({ providers: [Desk] });
    expect(await app.call(tool, args, { caller })).toBe('ok');
    expect(app.app.get(Desk).given).toEqual(expected);
  });

  it('stay the same when a second application meets the class', async () => {
    const before = await start({ providers: [Desk] });
    const keys = Object.keys(Reflect.getMetadata(PARAMETERS_KEY, Desk, 'plain') as object);
    const after = await start({ providers: [Desk] });

    expect(Object.keys(Reflect.getMetadata(PARAMETERS_KEY, Desk, 'plain') as object)).toEqual(keys);
    for (const app of [before, after]) {
      expect(await app.call('callerFirst', args, { caller })).toBe('ok');
      expect(app.app.get(Desk).given).toEqual([caller, args, context]);
    }
  });

  it('stay the same when a class inherits the method, whichever is met first', async () => {
    class Parent extends Tools {
      @Operator()
      inherited(given: unknown, ctx: OperatorContext, extra = 'default'): string {
        return this.note(given, ctx, extra);
      }
    }
    class Child extends Parent {}
    completeParameters(Parent, 'inherited');
    const app = await start({ providers: [Child] });

    expect(await app.call('inherited', args)).toBe('ok');
    expect(app.app.get(Child).given).toEqual([args, context, 'default']);
  });

  it('are found behind a class decorator that gives a Proxy', async () => {
    const Traced: ClassDecorator = (type) => new Proxy(type, {});
    @Traced
    @Injectable()
    class Wrapped extends Tools {
      @Operator()
      wrapped(given: unknown, ctx: OperatorContext): string {
        return this.note(given, ctx);
      }
    }
    const app = await start({ providers: [Wrapped] });

    expect(await app.call('wrapped', args)).toBe('ok');
    expect(app.app.get(Wrapped).given).toEqual([args, context]);
  });

  it('have {} for a missing caller, and the context says all about the call', async () => {
    const app = await start({ providers: [Desk] });
    await app.call('callerLast', args, {
      runId: 'run-1',
      sessionId: 'session-1',
      context: { tenant: 'north' },
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    });

    const [, ctx, who] = app.app.get(Desk).given as [unknown, OperatorContext, unknown];
    expect(who).toEqual({});
    expect(ctx).toMatchObject({
      executionId: 'run-1',
      graphName: 'tester',
      operatorRef: 'callerLast',
      toolCallId: 'call_1_0',
      turnNumber: 1,
      sessionId: 'session-1',
      graphContext: { tenant: 'north' },
      caller: undefined,
      idempotencyKey: 'run-1:1:0',
      agentDepth: 0,
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    });
    expect(ctx.signal.aborted).toBe(false);
  });
});

@Injectable()
class Weather {
  readonly source = 'station';
}

@Controller('weather')
class WeatherController {
  constructor(@Inject(Weather) private readonly weather: Weather) {}

  @Post()
  @Operator({ name: 'weather' })
  forecast(@Body() args: { readonly city: string }): unknown {
    return { city: args.city, source: this.weather.source };
  }

  @Get()
  health(): string {
    return 'fine';
  }
}

describe('a method that is a route and a tool', () => {
  it('answers both, listed as controller and as provider', async () => {
    const app = await start({ controllers: [WeatherController], providers: [WeatherController, Weather] });
    await app.app.listen(0, '127.0.0.1');
    const response = await fetch(`${await app.app.getUrl()}/weather`, {
      method: 'POST',
      body: '{"city":"Rome"}',
      headers: { 'content-type': 'application/json' },
    });

    expect(await response.json()).toEqual({ city: 'Rome', source: 'station' });
    expect(await app.call('weather', { city: 'Oslo' })).toBe('{"city":"Oslo","source":"station"}');
  });

  it('is refused on a class that is a controller only, because its guards would not run', async () => {
    await expect(start({ controllers: [WeatherController], providers: [Weather] })).rejects.toThrow(
      /WeatherController\.forecast.*controller.*among the providers/s,
    );
  });
});
