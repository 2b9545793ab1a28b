import {
  BadRequestException,
  Body,
  ForbiddenException,
  Injectable,
  ParseIntPipe,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
  ValidationPipe,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
  type PipeTransform,
} from '@nestjs/common';
import { APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { type OperatorContext } from '@nestor/core';
import { IsInt, IsString } from 'class-validator';
import { map, of, tap, throwError, type Observable } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { toolApps } from '../../../../test/support/tool-app.js';
import { Operator } from './operator.decorator.js';

const start = toolApps();

describe('interceptors of tools', () => {
  class Clock {
    @Operator()
    @UseInterceptors({
      intercept: (_: ExecutionContext, next: CallHandler) => next.handle().pipe(map((text) => `${text}!`)),
    } satisfies NestInterceptor)
    loud(): string {
      return 'noon';
    }

    @Operator()
    observed(): Observable<string> {
      return of('first', 'last');
    }

    @Operator()
    failing(): Observable<string> {
      return throwError(() => new ForbiddenException('Closed.'));
    }
  }

  it('change results; Observables give their last value or their error', async () => {
    const app = await start({ providers: [Clock] });

    expect(await app.call('loud')).toBe('noon!');
    expect(await app.call('observed')).toBe('last');
    expect(await app.failure('failing')).toEqual({ code: 'denied', message: 'Closed.' });
  });

  it('stand round the call and may answer in its place', async () => {
    const calls: string[] = [];
    class Counter {
      @Operator()
      count(): number {
        calls.push('called');
        return 1;
      }
    }
    @Injectable()
    class Cached implements NestInterceptor {
      intercept(_: ExecutionContext, next: CallHandler): Observable<unknown> {
        calls.push('before');
        return calls.includes('after') ? of(7) : next.handle().pipe(tap(() => calls.push('after')));
      }
    }
    const app = await start({ providers: [Counter, { provide: APP_INTERCEPTOR, useClass: Cached }] });

    expect(await app.call('count')).toBe('1');
    expect(await app.call('count')).toBe('7');
    expect(calls).toEqual(['before', 'called', 'after', 'before']);
  });
});

class Amount {
  @IsInt()
  readonly cents!: number;

  @IsString()
  readonly currency!: string;
}

describe('pipes of tools', () => {
  class Till {
    received: unknown[] = [];

    @Operator()
    pay(amount: Amount, context: OperatorContext): string {
      this.received = [amount, context];
      return `${amount.cents} for ${context.operatorRef}`;
    }

    @Operator()
    open(@Body('drawer', ParseIntPipe) drawer: number): string {
      return `drawer ${drawer + 1}`;
    }
  }

  it.each([
    ['plain', {}],
    ['transforming', { transform: true, whitelist: true, forbidNonWhitelisted: true }],
  ])('a global %s ValidationPipe checks the arguments and leaves the context alone', async (_, pipe) => {
    const app = await start(
      { providers: [Till] },
      { configure: (nest) => void nest.useGlobalPipes(new ValidationPipe(pipe)) },
    );

    expect(await app.call('pay', { cents: 5, currency: 'EUR' })).toBe('5 for pay');
    const failure = await app.failure('pay', { cents: 'five', currency: 'EUR' });
    expect(failure.code).toBe('invalid_arguments');
    expect(failure.message).toContain('cents');
  });

  it('of the application are not needed to check a DTO, from the first start on', async () => {
    class FirstTill {
      @Operator()
      payFirst(amount: Amount): string {
        return `${amount instanceof Amount} ${amount.cents}`;
      }
    }
    const app = await start({ providers: [FirstTill] });

    expect(await app.call('payFirst', { cents: 5, currency: 'EUR' })).toBe('true 5');
    expect((await app.failure('payFirst', { cents: 5 })).code).toBe('invalid_arguments');
  });

  it('stand on single parameters; what they refuse are invalid arguments', async () => {
    const app = await start({ providers: [Till] });

    expect(await app.call('open', { drawer: '4' })).toBe('drawer 5');
    expect(await app.failure('open', { drawer: 'left' })).toEqual({
      code: 'invalid_arguments',
      message: 'Validation failed (numeric string is expected)',
    });
  });

  it('of class, method and application run in their order, each once', async () => {
    const order: string[] = [];
    const pipe = (name: string): PipeTransform => ({
      transform: (value: unknown, { type }) => {
        if (type === 'body') order.push(name);
        return value;
      },
    });
    @UsePipes(pipe('class'))
    class Till2 {
      @Operator()
      @UsePipes(pipe('method'))
      ring(_args: unknown): string {
        return 'ring';
      }
    }
    const app = await start({ providers: [Till2, { provide: APP_PIPE, useValue: pipe('application') }] });

    expect(await app.call('ring')).toBe('ring');
    expect(order).toEqual(['application', 'class', 'method']);
  });
});

describe('all enhancers of a tool', () => {
  it('run in the order of Nest', async () => {
    const order: string[] = [];
    const note = (name: string, value: unknown): unknown => {
      order.push(name);
      return value;
    };
    @UseGuards({ canActivate: () => note('guard', true) as boolean })
    @UsePipes({
      transform: (value: unknown, { type }: { type: string }) =>
        type === 'body' ? note('pipe', value) : value,
    })
    @UseInterceptors({
      intercept: (_: ExecutionContext, next: CallHandler) => {
        note('before', 0);
        return next.handle().pipe(tap({ error: () => note('after', 0) }));
      },
    })
    @UseFilters({ catch: () => note('filter', undefined) })
    class All {
      @Operator()
      run(_args: unknown): void {
        note('method', 0);
        throw new BadRequestException('Never.');
      }
    }
    const app = await start({ providers: [All] });

    expect(await app.failure('run')).toEqual({ code: 'invalid_arguments', message: 'Never.' });
    expect(order).toEqual(['guard', 'before', 'pipe', 'method', 'after', 'filter']);
  });
});
