import { Module, type INestApplication, type ModuleMetadata } from '@nestjs/common';
import { HttpAdapterHost, NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { AgentModule, type AgentModuleExtras, type AgentModuleOptions } from '@nestor/agent';
import type { AgentBuilder, LlmProvider } from '@nestor/core';
import { AgentHttpModule, ProblemFilter } from '@nestor/http';

export interface HttpAgentsOptions {
  readonly agents: readonly AgentBuilder[];
  readonly provider: LlmProvider;
  readonly providers?: NonNullable<ModuleMetadata['providers']>;
  readonly options?: AgentModuleOptions & AgentModuleExtras;
  /** Whether errors from before the controllers are problems too. Default false. */
  readonly globalFilter?: boolean;
  /** Default `express`. */
  readonly platform?: Platform;
  /** Prepares the application before it listens. */
  readonly prepare?: (app: INestApplication) => unknown;
}

export type Platform = 'express' | 'fastify';

export interface HttpAgents {
  readonly app: INestApplication;
  readonly url: string;
  /** Posts JSON; a string goes as it is. */
  post(path: string, body: unknown, init?: RequestInit): Promise<Response>;
  /** Posts and asks for events; `init` may not set headers. */
  stream(path: string, body: unknown, init?: Omit<RequestInit, 'headers'>): Promise<Response>;
  /** Closes the application, and first the connections that a client keeps for later requests. */
  close(): Promise<void>;
}

/** A Nest application with agents on HTTP, on a free port of the loopback interface. */
export async function startHttpAgents({
  agents,
  provider,
  providers = [],
  options = {},
  globalFilter = false,
  platform = 'express',
  prepare,
}: HttpAgentsOptions): Promise<HttpAgents> {
  @Module({
    imports: [
      AgentModule.forRoot({ ...options, agents, llm: { ...options.llm, provider } }),
      AgentHttpModule,
    ],
    providers,
  })
  class App {}

  const adapter = platform === 'express' ? new ExpressAdapter() : new FastifyAdapter();
  const app = await NestFactory.create<INestApplication>(App, adapter, {
    logger: false,
    abortOnError: false,
  });
  if (globalFilter) app.useGlobalFilters(new ProblemFilter(app.get(HttpAdapterHost)));
  await prepare?.(app);
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  const post: HttpAgents['post'] = (path, body, { headers, ...init } = {}) =>
    fetch(url + path, {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...Object.fromEntries(new Headers(headers)) },
      ...init,
    });
  return {
    app,
    url,
    post,
    stream: (path, body, init) => post(path, body, { ...init, headers: { accept: 'text/event-stream' } }),
    close: () => {
      app.getHttpServer().closeAllConnections();
      return app.close();
    },
  };
}

export interface ServerEvent {
  readonly id: string | undefined;
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The events of a response as they come; comments are left out. */
export async function* serverEvents(response: Response): AsyncGenerator<ServerEvent, void, undefined> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes, { stream: true });
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    yield* blocks.filter((block) => !block.startsWith(':')).map(parseEvent);
  }
}

/** All events of a response, when it has ended. */
export async function allServerEvents(response: Response): Promise<ServerEvent[]> {
  const events: ServerEvent[] = [];
  for await (const event of serverEvents(response)) events.push(event);
  return events;
}

function parseEvent(block: string): ServerEvent {
  const fields = new Map(
    block.split('\n').map((line) => {
      const colon = line.indexOf(': ');
      return [line.slice(0, colon), line.slice(colon + 2)];
    }),
  );
  return {
    id: fields.get('id'),
    event: fields.get('event') ?? 'message',
    data: JSON.parse(fields.get('data') ?? 'null'),
  };
}
