import { getEventListeners, once } from 'node:events';
import type { ServerResponse } from 'node:http';
import {
  array,
  assert,
  asyncProperty,
  boolean,
  constantFrom,
  integer,
  nat,
  option,
  record,
} from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  AgentBuilder,
  AgentException,
  LlmChatOperator,
  LlmStreamingChatOperator,
  NodeChannel,
  OpenAiProvider,
  OperatorContext,
  OperatorRegistry,
  type AgentOutput,
  type AgentStreamChunk,
  type LlmMessage,
} from '@nestor/core';
import { LoopbackServer } from '../support/loopback-server.js';
import { randomReply } from '../support/random-replies.js';
import { pairingFaults } from '../support/run-outcome.js';
import { recordingListener } from '../support/scripted-agent.js';
import { requestFaults, stringsIn, type ChatBody } from '../support/served-agent.js';

const NUM_RUNS = Number(process.env.PROPERTY_RUNS ?? 100);

const scenario = record({
  replies: array(randomReply, { minLength: 1, maxLength: 6 }),
  streamed: boolean(),
  /** Runs at once, which share provider and signal. */
  parallel: integer({ min: 1, max: 3 }),
  /** The request at whose arrival the caller aborts. */
  abortAt: option(integer({ min: 1, max: 5 }), { nil: undefined, freq: 3 }),
  /** The chunk after which the consumer leaves. */
  leaveAfter: option(nat(6), { nil: undefined, freq: 3 }),
  capacity: integer({ min: 1, max: 4 }),
  maxTurns: integer({ min: 1, max: 4 }),
  cap: option(integer({ min: 1, max: 2 }), { nil: null }),
  onMaxTurns: constantFrom('throw' as const, 'finalize' as const),
});

const tools = {
  ok: (input: unknown) => input,
  fails: () => Promise.reject(new Error('failed')),
  late: () => new Promise((resolve) => setImmediate(resolve)),
  stops: () => {
    throw new AgentException('stop', { code: 'custom' });
  },
};

/** Reads a stream, or a part of it; gives the output or the error. */
async function readRun(
  run: (channel: NodeChannel<AgentStreamChunk>) => Promise<void>,
  capacity: number,
  leaveAfter: number | undefined,
): Promise<unknown> {
  const channel = new NodeChannel<AgentStreamChunk>(capacity);
  const ended = run(channel).then(
    () => channel.close(),
    (error: unknown) => {
      channel.fail(error);
      return error;
    },
  );
  let last: AgentStreamChunk | undefined;
  let count = 0;
  try {
    for await (const chunk of channel) {
      last = chunk;
      if (count++ === leaveAfter) break;
    }
  } catch (error) {
    expect(await ended).toBe(error);
    return error;
  }
  return (await ended) ?? (last?.type === 'done' ? last.finalOutput : undefined);
}

function conversationOf(outcome: unknown): readonly LlmMessage[] | undefined {
  if (outcome instanceof AgentException) return outcome.runId ? outcome.checkpoint?.conversation : undefined;
  return (outcome as AgentOutput | undefined)?.messages;
}

const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;

describe('a server that does anything', () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  let respond: (response: ServerResponse, body: ChatBody) => void = () => {};
  let server: LoopbackServer;
  beforeAll(async () => {
    process.on('unhandledRejection', note);
    server = await LoopbackServer.start((response, { body }) =>
      respond(response, JSON.parse(body) as ChatBody),
    );
  });
  afterAll(async () => {
    process.off('unhandledRejection', note);
    await server.stop();
  });

  /** Runs an agent once; gives how that ended, nothing if the consumer left a run that was complete. */
  async function run(provider: OpenAiProvider, given: Scenario): Promise<unknown> {
    const { streamed, capacity, leaveAfter, maxTurns, cap, onMaxTurns } = given;
    const registry = new OperatorRegistry()
      .register('llmChat', new LlmChatOperator(provider))
      .register('llmStreamingChat', new LlmStreamingChatOperator(provider));
    for (const [name, execute] of Object.entries(tools)) registry.register(name, { execute });
    const listener = recordingListener();
    const builder = AgentBuilder.create('agent')
      .model('m')
      .tools('all')
      .maxTurns(maxTurns)
      .maxToolConcurrency(cap)
      .onMaxTurns(onMaxTurns)
      .streamingBufferCapacity(capacity);
    const services = { listeners: [listener] };
    const context = OperatorContext.root({ signal: given.signal });
    try {
      return streamed
        ? await readRun(
            (channel) =>
              builder.toStreamingOperator('agent', registry, services).execute('go', channel, context),
            capacity,
            leaveAfter,
          )
        : await builder
            .toOperator('agent', registry, services)
            .execute('go', context)
            .catch((error: unknown) => error);
    } finally {
      const heard = listener.heard.map(({ name }) => name);
      expect(heard.filter((name) => name === 'onAgentLoopExited')).toHaveLength(1);
      expect(heard.at(-1)).toBe('onAgentLoopExited');
    }
  }

  it(
    'gets a valid request each time, and every run ends whole with nothing left behind',
    { timeout: 600_000 },
    async () => {
      const timersBefore = timers();
      await assert(
        asyncProperty(scenario, async ({ replies, abortAt, parallel, ...how }) => {
          const provider = new OpenAiProvider({
            baseUrl: server.url,
            retry: { attempts: 2, baseDelayMs: 0 },
            timeouts: { firstTokenMs: 25, idleMs: 25, totalMs: 200 },
          });
          const controller = new AbortController();
          const faults: string[] = [];
          let count = 0;
          respond = (response, body) => {
            faults.push(...requestFaults(body), ...stringsIn(body).filter((text) => !text.isWellFormed()));
            if (++count === abortAt) controller.abort(new Error('enough'));
            replies[(count - 1) % replies.length]?.(response, body);
          };
          const outcomes = await Promise.all(
            Array.from({ length: parallel }, () => run(provider, { ...how, signal: controller.signal })),
          );
          await provider.close();
          expect(faults).toEqual([]);
          // A consumer that leaves a run that is complete gets neither output nor error.
          const mayBeNothing = how.streamed && how.leaveAfter !== undefined;
          for (const outcome of outcomes) {
            const conversation = conversationOf(outcome);
            expect(conversation !== undefined || (mayBeNothing && outcome === undefined)).toBe(true);
            expect(pairingFaults(conversation ?? [])).toEqual([]);
          }
          expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
          await Promise.all([...server.sockets].map((socket) => once(socket, 'close')));
        }),
        { numRuns: NUM_RUNS },
      );
      await new Promise((resolve) => setImmediate(resolve));
      expect(unhandled).toEqual([]);
      expect(timers()).toBeLessThanOrEqual(timersBefore);
    },
  );
});

interface Scenario {
  readonly streamed: boolean;
  readonly capacity: number;
  readonly leaveAfter: number | undefined;
  readonly maxTurns: number;
  readonly cap: number | null;
  readonly onMaxTurns: 'throw' | 'finalize';
  readonly signal: AbortSignal;
}
