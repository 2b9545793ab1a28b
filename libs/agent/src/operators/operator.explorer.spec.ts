import {
  Body,
  Injectable,
  SetMetadata,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
  type CanActivate,
  type Provider,
} from '@nestjs/common';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { toolApps, type ToolApp } from '../../../../test/support/tool-app.js';
import { Operator } from './operator.decorator.js';

const start = toolApps();

const boot = (...providers: Provider[]): Promise<ToolApp> => start({ providers });

@Injectable()
class SomeGuard implements CanActivate {
  canActivate(): boolean {
    return true;
  }

  intercept(): void {}

  transform(): void {}

  catch(): void {}
}

describe('an application does not start', () => {
  it('with two operators of one name, and names both places', async () => {
    class Library {
      @Operator()
      search(): void {}
    }
    class Archive {
      @Operator({ name: 'search' })
      dig(): void {}
    }
    await expect(boot(Library, Archive)).rejects.toThrow(/"search".*Library\.search.*Archive\.dig/s);
  });

  it.each(['search books', '', 'a.b', 'x'.repeat(65), 'käse'])('with the operator name %j', async (name) => {
    class Library {
      @Operator({ name })
      search(): void {}
    }
    await expect(boot(Library)).rejects.toThrow(
      /Library\.search.*the operator name is.*Set @Operator\(\{ name/s,
    );
  });

  it('with a symbol for a method', async () => {
    class Library {
      @Operator()
      [Symbol('search')](): void {}
    }
    await expect(boot(Library)).rejects.toThrow(/Library\.Symbol\(search\).*Set @Operator/s);
  });

  it('with a schema that cannot be described to the model', async () => {
    class Library {
      @Operator({ input: z.object({ since: z.date() }) })
      search(): void {}
    }
    await expect(boot(Library)).rejects.toThrow(/"search" \(Library\.search\)/);
  });

  it('with a decorated class that has no execute', async () => {
    @Operator()
    class Library {
      run(): void {}
    }
    await expect(boot(Library)).rejects.toThrow(/Library.*needs a method execute\(input, context\)/s);
  });

  it('with a decorated getter, which is not called', async () => {
    const asked = vi.fn();
    class Library {
      @Operator()
      get search(): unknown {
        return asked();
      }
    }
    await expect(boot(Library)).rejects.toThrow(/Library\.search.*not a method of Library/s);
    expect(asked).not.toHaveBeenCalled();
  });

  it.each([
    ['a guard', UseGuards],
    ['an interceptor', UseInterceptors],
    ['a pipe', UsePipes],
    ['a filter', UseFilters],
  ] as const)('with %s that Nest would skip, on the class or the method', async (_, use) => {
    const decorate = use as (enhancer: typeof SomeGuard) => ClassDecorator & MethodDecorator;
    @decorate(SomeGuard)
    class Guarded {
      @Operator()
      open(): void {}
    }
    class Partly {
      @Operator()
      @decorate(SomeGuard)
      enter(): void {}
    }
    const message = (place: string): RegExp =>
      new RegExp(`${place}.*asks for SomeGuard.*useFactory or useValue`, 's');

    await expect(boot({ provide: 'G', useFactory: () => new Guarded() })).rejects.toThrow(
      message('Guarded.open'),
    );
    await expect(boot({ provide: 'G', useValue: new Partly() })).rejects.toThrow(message('Partly.enter'));
  });

  it('with a pipe on a parameter that Nest would skip', async () => {
    class Guarded {
      @Operator()
      open(@Body(SomeGuard) _args: unknown): void {}
    }
    await expect(boot({ provide: 'G', useFactory: () => new Guarded() })).rejects.toThrow(
      /Guarded\.open.*SomeGuard/s,
    );
  });

  it('with guards or roles that a decorator above them has lost', async () => {
    const Traced: MethodDecorator = (_target, _name, descriptor) => {
      const { value } = descriptor;
      const method = value as unknown as (...args: unknown[]) => unknown;
      descriptor.value = function (this: unknown, ...args: unknown[]) {
        return method.apply(this, args);
      } as never;
    };
    class Roles {
      @Traced
      @Operator()
      @SetMetadata('roles', ['admin'])
      wipe(): void {}
    }
    class Kept {
      @SetMetadata('roles', ['admin'])
      @Traced
      @Operator()
      wipe(): void {}
    }
    await expect(boot(Roles)).rejects.toThrow(/Roles\.wipe.*metadata "roles".*above that decorator/s);
    await boot(Kept);
  });
});

describe('an instance of an enhancer', () => {
  it('runs for providers by useFactory too', async () => {
    @UseGuards({ canActivate: () => false })
    class Guarded {
      @Operator()
      open(): void {}
    }
    const app = await boot({ provide: 'G', useFactory: () => new Guarded() });
    expect((await app.failure('open')).code).toBe('denied');
  });
});

it('a static method is refused where it is decorated', () => {
  expect(() => {
    class Library {
      @Operator()
      static search(): void {}
    }
    return Library;
  }).toThrow(/Library\.search.*static method/s);
});

describe('operators with the names of the model access', () => {
  it('are not offered as tools, and answer in its place', async () => {
    class OwnModel {
      @Operator({ name: 'llmChat' })
      chat(): object {
        return { message: { role: 'assistant', content: 'from my own model' }, finishReason: 'stop' };
      }
    }
    class Library {
      @Operator()
      search(): void {}
    }
    const app = await boot(OwnModel, Library);
    const output = await app.agents.run('tester', 'Who are you?');
    expect(output.content).toBe('from my own model');

    const streamed = app.agents.stream('tester', JSON.stringify({ tool: 'search', args: {} }));
    await streamed.output();
    expect(app.provider.requests[0]?.tools?.map(({ name }) => name)).toEqual(['search']);
  });
});
