import {
  Body,
  Controller,
  Headers,
  Injectable,
  Module,
  Post,
  Req,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
  type INestApplication,
} from '@nestjs/common';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AgentLoopService } from '../agents/agent-loop.service.js';
import {
  errorIn,
  PLATFORMS,
  startToolApp,
  toolText,
  type ToolApp,
} from '../../../../test/support/tool-app.js';
import { Caller } from './caller.decorator.js';
import { Operator } from './operator.decorator.js';

const numRuns = Number(process.env['PROPERTY_RUNS'] ?? 200);

interface Request {
  readonly user?: { readonly role?: string };
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** As people write it: whatever the request says of its user. */
@Injectable()
class AdminGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    return request.user?.role === 'admin' || request.headers?.['x-role'] === 'admin';
  }
}

class Vault {
  emptied = 0;

  @Operator()
  @UseGuards(AdminGuard)
  empty(_args: unknown, @Caller() caller: Request): string {
    this.emptied++;
    return `emptied by ${caller.user?.role}`;
  }
}

@Controller('ask')
class AskController {
  constructor(private readonly agents: AgentLoopService) {}

  @Post()
  async ask(
    @Body('question') question: string,
    @Req() request: Request,
    @Headers('x-caller') kind?: string,
  ): Promise<string> {
    const caller = { request, none: undefined }[kind ?? 'request'];
    return toolText(await this.agents.run('tester', question, { caller }));
  }
}

@Module({ providers: [Vault], controllers: [AskController] })
class VaultModule {}

const admin = fc.constantFrom('admin', { role: 'admin' }, ['admin'], { 'x-role': 'admin' });
const nested = fc.oneof(
  admin,
  fc.jsonValue(),
  fc.record({ user: admin, headers: admin }, { requiredKeys: [] }),
);
const NAMES = [
  'user',
  'role',
  'headers',
  'x-role',
  '__proto__',
  'constructor',
  'prototype',
  'request',
  'caller',
  'raw',
  'args',
];

/** Arguments as JSON text, since an object literal cannot hold a key "__proto__". */
const argumentsJson = fc
  .array(fc.tuple(fc.constantFrom(...NAMES), nested), { maxLength: 6 })
  .map(
    (entries) =>
      `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join()}}`,
  );

describe.each(PLATFORMS)('a role guard on %s', (platform) => {
  let served: ToolApp & { readonly url: string };

  beforeAll(async () => {
    const app = await startToolApp({ imports: [VaultModule] }, { platform });
    await app.app.listen(0, '127.0.0.1');
    served = { ...app, url: await urlOf(app.app) };
  });
  afterAll(() => served.close());

  const ask = async (json: string, headers: Record<string, string> = {}): Promise<string> => {
    const response = await fetch(`${served.url}/ask`, {
      method: 'POST',
      body: JSON.stringify({ question: questionOf(json) }),
      headers: { 'content-type': 'application/json', ...headers },
    });
    return response.text();
  };

  it('believes the request', async () => {
    expect(await ask('{}', { 'x-role': 'admin' })).toBe('emptied by undefined');
    expect(served.app.get(Vault).emptied).toBe(1);
    expect(await served.call('empty', {}, { caller: { user: { role: 'admin' } } })).toBe('emptied by admin');
    served.app.get(Vault).emptied = 0;
  });

  it.each(['request', 'none'])(
    'is fooled by no arguments the model could write; caller: %s',
    async (kind) => {
      await fc.assert(
        fc.asyncProperty(argumentsJson, async (json) => {
          expect(errorIn(await ask(json, { 'x-caller': kind })).code).toBe('denied');
        }),
        { numRuns },
      );
      expect(served.app.get(Vault).emptied).toBe(0);
      expect(({} as { role?: unknown }).role).toBeUndefined();
    },
    120_000,
  );

  it.each([undefined, null, {}, { user: {} }, 'admin', 7])(
    'is fooled by nothing the model writes itself; caller: %j',
    async (caller) => {
      await fc.assert(
        fc.asyncProperty(argumentsJson, async (json) => {
          const text = toolText(await served.agents.run('tester', questionOf(json), { caller }));
          expect(errorIn(text).code).toBe('denied');
        }),
        { numRuns },
      );
      expect(served.app.get(Vault).emptied).toBe(0);
    },
    120_000,
  );
});

/** What makes the scripted model call the tool with these arguments. */
function questionOf(json: string): string {
  return `{"tool":"empty","args":${json}}`;
}

async function urlOf(app: INestApplication): Promise<string> {
  return (await app.getUrl()).replace('[::1]', '127.0.0.1');
}
