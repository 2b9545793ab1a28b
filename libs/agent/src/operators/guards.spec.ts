import {
  ForbiddenException,
  Inject,
  Injectable,
  Scope,
  SetMetadata,
  UnauthorizedException,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { APP_GUARD, REQUEST, Reflector } from '@nestjs/core';
import { AgentException } from '@nestor/core';
import { describe, expect, it } from 'vitest';
import { toolApps } from '../../../../test/support/tool-app.js';
import { Operator } from './operator.decorator.js';
import { ToolInvocation } from './tool-invocation.js';

const ROLES = 'roles';
const Roles = (...roles: string[]) => SetMetadata(ROLES, roles);

interface Caller {
  readonly user?: { readonly name?: string; readonly role?: string };
}

@Injectable()
class RolesGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const roles = this.reflector.getAllAndOverride<string[] | undefined>(ROLES, [
      context.getHandler(),
      context.getClass(),
    ]);
    const role = context.switchToHttp().getRequest<Caller>().user?.role;
    return !roles || (role !== undefined && roles.includes(role));
  }
}

const ADMIN = { caller: { user: { name: 'Ann', role: 'admin' } } };
const GUEST = { caller: { user: { name: 'Bob', role: 'guest' } } };

const start = toolApps();

describe('guards of tools', () => {
  it('run for the class, and for the method with its own metadata', async () => {
    @Injectable()
    @UseGuards(RolesGuard)
    class Vault {
      @Operator()
      @Roles('admin')
      empty(): string {
        return 'emptied';
      }

      @Operator()
      look(): string {
        return 'gold';
      }
    }
    const app = await start({ providers: [Vault] });

    expect(await app.call('empty', {}, ADMIN)).toBe('emptied');
    expect(await app.failure('empty', {}, GUEST)).toEqual({ code: 'denied', message: 'Forbidden resource' });
    expect(await app.call('look', {}, GUEST)).toBe('gold');
  });

  it('run for a method alone, as a class and as an instance', async () => {
    class Vault {
      @Operator()
      @UseGuards(RolesGuard)
      @Roles('admin')
      byClass(): string {
        return 'in';
      }

      @Operator()
      @UseGuards({ canActivate: () => false })
      byInstance(): string {
        return 'in';
      }

      @Operator()
      free(): string {
        return 'in';
      }
    }
    const app = await start({ providers: [Vault] });

    expect((await app.failure('byClass', {}, GUEST)).code).toBe('denied');
    expect((await app.failure('byInstance', {}, ADMIN)).code).toBe('denied');
    expect(await app.call('byClass', {}, ADMIN)).toBe('in');
    expect(await app.call('free', {}, GUEST)).toBe('in');
  });

  class Plain {
    @Operator()
    plain(): string {
      return 'plain';
    }
  }

  it('run globally, by APP_GUARD and by useGlobalGuards', async () => {
    @Injectable()
    class NamedOnly implements CanActivate {
      canActivate(context: ExecutionContext): boolean {
        return context.switchToHttp().getRequest<Caller>().user?.name !== undefined;
      }
    }
    const provided = await start({ providers: [Plain, { provide: APP_GUARD, useClass: NamedOnly }] });
    const configured = await start(
      { providers: [Plain] },
      { configure: (app) => void app.useGlobalGuards(new NamedOnly()) },
    );

    for (const app of [provided, configured]) {
      expect(await app.call('plain', {}, GUEST)).toBe('plain');
      expect((await app.failure('plain')).code).toBe('denied');
    }
  });

  it('run globally when they are request-scoped, with the caller as their REQUEST', async () => {
    const seen: unknown[] = [];
    @Injectable({ scope: Scope.REQUEST })
    class ScopedGuard implements CanActivate {
      constructor(@Inject(REQUEST) private readonly request: Caller) {}

      canActivate(): boolean {
        seen.push(this.request);
        return this.request.user?.role === 'admin';
      }
    }
    const app = await start({ providers: [Plain, { provide: APP_GUARD, useClass: ScopedGuard }] });

    expect(await app.call('plain', {}, ADMIN)).toBe('plain');
    expect((await app.failure('plain', {}, GUEST)).code).toBe('denied');
    expect(seen).toEqual([ADMIN.caller, GUEST.caller]);
  });

  it.each([
    [new UnauthorizedException('Log in first.'), 'denied', 'Log in first.'],
    [new ForbiddenException('Not yours.'), 'denied', 'Not yours.'],
    [new Error('The directory is down.'), 'failed', 'The directory is down.'],
  ])('that throw %s give the model %s', async (error, code, message) => {
    const guard: CanActivate = {
      canActivate: () => {
        throw error;
      },
    };
    const app = await start(
      { providers: [Plain] },
      { configure: (nest) => void nest.useGlobalGuards(guard) },
    );

    expect(await app.failure('plain')).toEqual({ code, message });
  });

  it('that throw an AgentException stop the run', async () => {
    const guard: CanActivate = {
      canActivate: () => {
        throw new AgentException('Enough.', { code: 'enough' });
      },
    };
    const app = await start(
      { providers: [Plain] },
      { configure: (nest) => void nest.useGlobalGuards(guard) },
    );
    await expect(app.call('plain')).rejects.toThrow('Enough.');
  });

  it('see an agent context: its type, class, handler, and the three arguments', async () => {
    const contexts: ExecutionContext[] = [];
    const guard: CanActivate = { canActivate: (context) => contexts.push(context) > 0 };
    const app = await start(
      { providers: [Plain] },
      { configure: (nest) => void nest.useGlobalGuards(guard) },
    );
    await app.call('plain', { a: 1 }, ADMIN);

    const [context] = contexts;
    expect(context!.getType<string>()).toBe('agent');
    expect(context!.getClass()).toBe(Plain);
    expect(context!.getHandler()).toBe(Plain.prototype.plain);
    expect(context!.switchToHttp().getRequest()).toBe(ADMIN.caller);
    const invocation: unknown = context!.getArgByIndex(2);
    expect(invocation).toBeInstanceOf(ToolInvocation);
    expect((invocation as ToolInvocation).args).toEqual({ a: 1 });
    expect((invocation as ToolInvocation).context.operatorRef).toBe('plain');
  });
});
