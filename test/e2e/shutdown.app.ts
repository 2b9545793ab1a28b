// An application as a process of its own: it starts runs, goes on with those it finds, and tells of both.
import 'reflect-metadata';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ActiveRuns, AgentLoopService, AgentModule, Operator, RunStores, ToolContext } from '@nestor/agent';
import { AgentBuilder, ScriptedProvider, type OperatorContext } from '@nestor/core';
import { crashScript, questionOf } from '../crash/crash-agent.js';
import { appendEffect, type Effect } from '../crash/effects.js';
import { deferred } from '../support/scripted-agent.js';

/** What the process is given, as JSON. */
export interface ShutdownAppOptions {
  readonly url: string;
  readonly effectsFile: string;
  readonly shutdownGraceMs: number;
  /** The runs to start; else it says when as many as `wanted` have ended. */
  readonly runIds?: readonly string[];
  readonly wanted?: number;
}

const TOOLS = ['keyed', 'once', 'pure'];
const LONGEST_CALL_MS = 80;
const options = JSON.parse(process.argv[2] ?? '') as ShutdownAppOptions;
/** Keys of the model's calls. */
const asked = new Set<string>();
const note = (effect: Effect): void => {
  if (effect.name === 'model') asked.add(effect.key);
  appendEffect(options.effectsFile, effect);
};

/** No run ends before all are under way. */
const allStarted = deferred();

@Injectable()
class Tools {
  @Operator({ description: 'Has an effect once per key', effect: 'idempotent' })
  keyed(_: unknown, @ToolContext() context: OperatorContext): Promise<string> {
    return this.#call('keyed', context);
  }

  @Operator({ description: 'Must not be called again' })
  once(_: unknown, @ToolContext() context: OperatorContext): Promise<string> {
    return this.#call('once', context);
  }

  @Operator({ description: 'Has no effect', effect: 'pure' })
  pure(_: unknown, @ToolContext() context: OperatorContext): Promise<string> {
    return this.#call('pure', context);
  }

  async #call(name: string, { idempotencyKey: key = '' }: OperatorContext): Promise<string> {
    await allStarted.promise;
    note({ kind: 'call', name, key });
    await pause(Math.random() * LONGEST_CALL_MS);
    return key;
  }
}

const script = crashScript({ note, at: () => {} }, TOOLS);

@Module({
  imports: [
    AgentModule.forRoot({
      agents: [
        TOOLS.reduce(
          (agent, tool) => agent.tool(tool),
          AgentBuilder.create('agent').model('m'),
        ).repeatedCallLimit(0),
      ],
      llm: { provider: new ScriptedProvider(script) },
      database: { url: options.url },
      durability: 'run',
      eventJournal: { enabled: true },
      shutdownGraceMs: options.shutdownGraceMs,
    }),
  ],
  providers: [Tools],
})
class App {}

const app = await NestFactory.createApplicationContext(App, { logger: ['warn', 'error'] });
// Stays until it is told to end, as one that serves.
setInterval(() => {}, 60_000);
app.enableShutdownHooks(['SIGTERM'], { useProcessExit: true });

const { runIds = [], wanted } = options;
const agents = app.get(AgentLoopService);
for (const [index, runId] of runIds.entries()) {
  const session = index % 5 === 0 ? { sessionId: `session-${index}` } : {};
  // Whoever is left waiting by a shutdown is told so.
  agents.run('agent', [questionOf(runId)], { runId, ...session }).catch(() => {});
}
if (wanted === undefined) {
  while (asked.size < runIds.length) await pause(10);
  allStarted.resolve();
  console.log(`${app.get(ActiveRuns).size} under way`);
} else {
  allStarted.resolve();
  const { runs } = app.get(RunStores);
  while ((await runs.list({ status: 'completed', limit: wanted })).length < wanted) await pause(50);
  console.log('all ended');
}
