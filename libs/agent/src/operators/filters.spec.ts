import { Catch, UseFilters, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { APP_FILTER, HttpAdapterHost } from '@nestjs/core';
import { AgentException } from '@nestor/core';
import { of, throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { PLATFORMS, toolApps } from '../../../../test/support/tool-app.js';
import { Operator } from './operator.decorator.js';

const start = toolApps();

class Broken {
  @Operator()
  fall(): void {
    throw new Error('It fell.');
  }

  @Operator()
  stop(): void {
    throw new AgentException('Stop the run.', { code: 'stopped' });
  }
}

/** As in Nest's documentation: a filter for everything, independent of the platform. */
@Catch()
class CatchAll implements ExceptionFilter {
  static readonly caught: unknown[] = [];

  constructor(private readonly host: HttpAdapterHost) {}

  catch(exception: unknown, host: ArgumentsHost): void {
    CatchAll.caught.push(exception);
    const http = host.switchToHttp();
    const response = http.getResponse<{
      statusCode: number;
      status(code: number): { json(body: object): void };
    }>();
    response.statusCode = 500;
    response.status(500).json({ message: `status was ${String(response.statusCode)}` });
    this.host.httpAdapter.reply(http.getResponse(), { message: 'Oh no.' }, 500);
  }
}

describe.each(PLATFORMS)('a filter for everything that answers the response, on %s', (platform) => {
  it('hides no failure from the model', async () => {
    const app = await start(
      { providers: [Broken, { provide: APP_FILTER, useClass: CatchAll }] },
      { platform },
    );

    expect(await app.failure('fall')).toEqual({ code: 'failed', message: 'It fell.' });
    await expect(app.call('stop')).rejects.toThrow('Stop the run.');
    expect(CatchAll.caught.splice(0)).toHaveLength(2);
  });
});

describe('filters of tools', () => {
  const catching = (give: (error: Error, host: ArgumentsHost) => unknown): ExceptionFilter => ({
    catch: (error: Error, host: ArgumentsHost) => give(error, host),
  });

  it.each([
    ['gives a value', () => ({ instead: true }), '{"instead":true}'],
    ['gives a promise', async () => 'later', 'later'],
    ['gives an Observable', () => of('seen'), 'seen'],
    ['gives an empty text', () => '', '(empty)'],
  ])('whose catch %s decides the result', async (_, give, expected) => {
    const app = await start(
      { providers: [Broken] },
      { configure: (nest) => void nest.useGlobalFilters(catching(give)) },
    );
    expect(await app.call('fall')).toBe(expected);
  });

  it.each([
    ['gives nothing', () => undefined, 'It fell.'],
    [
      'gives the response, as answering it does',
      (_error: Error, host: ArgumentsHost) =>
        host.switchToHttp().getResponse<{ status(code: number): unknown }>().status(500),
      'It fell.',
    ],
    ['gives nothing later', async () => undefined, 'It fell.'],
    [
      'gives an Observable that fails',
      () => throwError(() => new Error('Fell, says the filter.')),
      'Fell, says the filter.',
    ],
    [
      'throws another error',
      () => {
        throw new Error('Translated.');
      },
      'Translated.',
    ],
  ])('whose catch %s leave a failure', async (_, give, message) => {
    const app = await start(
      { providers: [Broken] },
      { configure: (nest) => void nest.useGlobalFilters(catching(give)) },
    );
    expect(await app.failure('fall')).toEqual({ code: 'failed', message });
  });

  it('of the method come before those of the class, and only for what they catch', async () => {
    class Lost extends Error {}
    @Catch(Lost)
    class LostFilter implements ExceptionFilter {
      catch(): string {
        return 'found by the method';
      }
    }
    @UseFilters(catching(({ message }) => `caught by the class: ${message}`))
    class Places {
      @Operator()
      @UseFilters(LostFilter)
      lost(): void {
        throw new Lost();
      }

      @Operator()
      @UseFilters(LostFilter)
      other(): void {
        throw new Error('other');
      }
    }
    const app = await start({ providers: [Places] });

    expect(await app.call('lost')).toBe('found by the method');
    expect(await app.call('other')).toBe('caught by the class: other');
  });
});
