import type { INestApplication, ModuleMetadata } from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test, type TestingModuleBuilder } from '@nestjs/testing';
import { AgentLoopService, AgentModule, type AgentModuleOptions, type AgentRunOptions } from '@nestor/agent';
import {
  AgentBuilder,
  ScriptedProvider,
  type AgentOutput,
  type LlmRequest,
  type ScriptedStep,
} from '@nestor/core';
import { afterEach } from 'vitest';
import { calls } from './scripted-agent.js';

export const PLATFORMS = ['express', 'fastify'] as const;
export type Platform = (typeof PLATFORMS)[number];

export interface ToolAppOptions {
  readonly options?: AgentModuleOptions;
  readonly platform?: Platform;
  /** Before the application starts: overrides of providers. */
  readonly override?: (builder: TestingModuleBuilder) => TestingModuleBuilder;
  /** Before the application starts: global pipes, guards, filters. */
  readonly configure?: (app: INestApplication) => void;
  readonly script?: (request: LlmRequest) => ScriptedStep | Promise<ScriptedStep>;
}

export interface ToolApp {
  readonly app: INestApplication;
  readonly agents: AgentLoopService;
  readonly provider: ScriptedProvider;
  /** What the model is told when it calls the tool. */
  call(tool: string, args?: object, options?: AgentRunOptions): Promise<string>;
  /** The error the model is told; fails if there is none. */
  failure(
    tool: string,
    args?: object,
    options?: AgentRunOptions,
  ): Promise<{ readonly code: string; readonly message: string }>;
  close(): Promise<void>;
}

/** The question to which the scripted model answers with that call, and then with "done". */
export function asking(tool: string, args: object = {}): string {
  return JSON.stringify({ tool, args });
}

/** An application with the agent "tester", to which every tool is offered. It calls what it is asked to call. */
export async function startToolApp(
  metadata: ModuleMetadata,
  { options = {}, platform = 'express', override, configure, script = askedCall }: ToolAppOptions = {},
): Promise<ToolApp> {
  const provider = new ScriptedProvider(script);
  const tester = AgentBuilder.create('tester').model('m').tools('all');
  const root = AgentModule.forRoot({ ...options, agents: [tester], llm: { ...options.llm, provider } });
  const builder = Test.createTestingModule({ ...metadata, imports: [root, ...(metadata.imports ?? [])] });
  const compiled = await (override?.(builder) ?? builder).compile();
  const app =
    platform === 'fastify'
      ? compiled.createNestApplication(new FastifyAdapter())
      : compiled.createNestApplication();
  app.useLogger(false);
  configure?.(app);
  await app.init();
  const agents = app.get(AgentLoopService);
  const call: ToolApp['call'] = async (tool, args, runOptions) =>
    toolText(await agents.run('tester', asking(tool, args), runOptions));
  return {
    app,
    agents,
    provider,
    call,
    failure: async (...given) => errorIn(await call(...given)),
    close: () => app.close(),
  };
}

export function toolText({ messages }: AgentOutput): string {
  const content = messages.find(({ role }) => role === 'tool')?.content;
  if (typeof content !== 'string') throw new Error('No tool was called.');
  return content;
}

export function errorIn(text: string): { readonly code: string; readonly message: string } {
  const parsed: unknown = JSON.parse(text);
  if (typeof parsed !== 'object' || parsed === null || !('error' in parsed))
    throw new Error(`The tool did not fail; it said ${text}.`);
  return parsed.error as { code: string; message: string };
}

function askedCall({ messages }: LlmRequest): ScriptedStep {
  const last = messages.at(-1);
  if (last?.role !== 'user') return { text: 'done' };
  const { tool, args } = JSON.parse(String(last.content)) as { tool: string; args: object };
  return calls([tool, args]);
}

/** `startToolApp` whose applications are closed after each test. */
export function toolApps(): typeof startToolApp {
  const open: ToolApp[] = [];
  afterEach(async () => {
    for (const app of open.splice(0)) await app.close();
  });
  return async (...given) => {
    const app = await startToolApp(...given);
    open.push(app);
    return app;
  };
}
