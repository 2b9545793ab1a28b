import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import {
  AgentBuilder,
  AgentMemoryStrategy,
  LlmChatOperator,
  LlmStreamingChatOperator,
  OpenAiProvider,
  OperatorContext,
  OperatorRegistry,
  type AgentLoopOperator,
  type AgentOutput,
  type LlmProvider,
  type LlmResponse,
} from '@nestor/core';
import { LoopbackServer } from '../support/loopback-server.js';
import { collectChunks } from '../support/scripted-agent.js';
import { sendAnswer, type ChatBody } from '../support/served-agent.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const MB = 1024 * 1024;
const CHARACTERS = 50_000;
const TURNS = 100;

/** Bytes that are still reachable. */
async function heapUsed(): Promise<number> {
  // What a finished turn of the event loop lets go of is free after two rounds.
  for (let round = 0; round < 2; round++) {
    await new Promise((resolve) => setImmediate(resolve));
    collectGarbage();
  }
  const { heapUsed: heap, external } = process.memoryUsage();
  return heap + external;
}

/** A text of its own, flat and one byte per character. */
function largeText(seed: number): string {
  return Buffer.alloc(CHARACTERS, `${seed} lorem ipsum `).toString('latin1');
}

/** Asks for one more tool call until the turns are used up, with a large text beside it. */
function longAnswer(callNumber: number): LlmResponse {
  const args = JSON.stringify({ turn: callNumber });
  return {
    message:
      callNumber === TURNS
        ? { role: 'assistant', content: 'done' }
        : {
            role: 'assistant',
            content: largeText(callNumber),
            toolCalls: [{ id: `c${callNumber}`, name: 'look', arguments: args }],
          },
    finishReason: callNumber === TURNS ? 'stop' : 'tool_calls',
  };
}

/** A model that keeps nothing of what it is asked; `observe` is called in the middle of each call. */
function longProvider(observe: (callNumber: number) => Promise<void>): LlmProvider {
  let callNumber = 0;
  const chat = async (): Promise<LlmResponse> => {
    await observe(++callNumber);
    return longAnswer(callNumber);
  };
  return {
    description: 'long',
    chat,
    async *streamChat() {
      yield { type: 'finish', response: await chat() };
    },
  };
}

function agentOf(provider: LlmProvider, define = (builder: AgentBuilder): AgentBuilder => builder) {
  const registry = new OperatorRegistry()
    .register('llmChat', new LlmChatOperator(provider))
    .register('llmStreamingChat', new LlmStreamingChatOperator(provider))
    .register('look', { execute: ({ turn }: { turn: number }) => largeText(turn + 1000) });
  const builder = define(
    AgentBuilder.create('agent').model('m').tools('all').maxTurns(TURNS).toolResultLimit(CHARACTERS),
  );
  return {
    agent: builder.toOperator('agent', registry),
    streaming: builder.toStreamingOperator('agent', registry),
  };
}

/** What a conversation of so many rounds holds: an answer and a result each. */
const conversationBytes = (rounds: number): number => rounds * 2 * CHARACTERS;

describe('B169: the memory of one long run', { timeout: 120_000 }, () => {
  const strategies = [
    ['full', AgentMemoryStrategy.full()],
    ['a window', AgentMemoryStrategy.slidingWindow(10)],
    ['a token budget', AgentMemoryStrategy.tokenBudget(10_000_000)],
  ] as const;

  it.each(strategies)('grows with its conversation and no faster: %s', async (_, strategy) => {
    const samples = new Map<number, number>();
    const provider = longProvider(async (callNumber) => {
      if (callNumber % 25 === 0) samples.set(callNumber, await heapUsed());
    });
    const { agent } = agentOf(provider, (builder) => builder.memory(strategy));
    const before = await heapUsed();
    const output = await agent.execute('go', OperatorContext.root());
    expect(output.turnsUsed).toBe(TURNS);
    for (const [turn, bytes] of samples) {
      const conversation = conversationBytes(turn - 1);
      // Each text is held once by the conversation, and once more where the run's results show it.
      expect((bytes - before) / conversation).toBeLessThan(2);
    }
  });

  it('grows with its conversation and no faster: over HTTP, streamed', async () => {
    const samples = new Map<number, number>();
    let callNumber = 0;
    const server = await LoopbackServer.start((response, { body }) => {
      server.requests.length = 0;
      const { message } = longAnswer(++callNumber);
      const answer = {
        text: message.content ?? '',
        calls: message.toolCalls ?? [],
      };
      const sample = callNumber % 25 === 0 ? heapUsed() : undefined;
      const parsed: Pick<ChatBody, 'stream' | 'messages'> = {
        stream: body.includes('"stream":true'),
        messages: [],
      };
      void Promise.resolve(sample).then((bytes) => {
        if (bytes !== undefined) samples.set(callNumber, bytes);
        sendAnswer(response, parsed, answer);
      });
    });
    const provider = new OpenAiProvider({ baseUrl: server.url });
    const { streaming } = agentOf(provider);
    try {
      const chunks = await collectChunks(streaming, 'go');
      expect(chunks.at(-1)).toMatchObject({ type: 'done', finalOutput: { turnsUsed: TURNS } });
      // Counted from the first sample on, when everything that is loaded late is there. A message is held as it is,
      // as JSON, in the bytes of requests to come and in the request under way, on both ends of the connection.
      const [[firstTurn, firstBytes] = [0, 0], ...later] = samples;
      expect(later).toHaveLength(3);
      for (const [turn, bytes] of later) {
        expect((bytes - firstBytes) / conversationBytes(turn - firstTurn)).toBeLessThan(8);
      }
    } finally {
      await provider.close();
      await server.stop();
    }
  });
});

describe('B169: the memory of many short runs', { timeout: 120_000 }, () => {
  const RUNS = 2_000;

  /** How much two thousand runs leave behind, after as many to warm up. */
  async function growth(run: () => Promise<AgentOutput | undefined>): Promise<number> {
    for (let count = 0; count < RUNS; count++) await run();
    const before = await heapUsed();
    for (let count = 0; count < RUNS; count++) await run();
    return (await heapUsed()) - before;
  }

  /** One tool round and an answer, with enough text that keeping a run of it would show. */
  function shortProvider(): LlmProvider {
    const respond = (last: string | undefined): LlmResponse =>
      last === 'tool'
        ? { message: { role: 'assistant', content: 'x'.repeat(500) }, finishReason: 'stop' }
        : {
            message: {
              role: 'assistant',
              content: null,
              toolCalls: [{ id: 'a', name: 'look', arguments: '{"turn":1}' }],
            },
            finishReason: 'tool_calls',
          };
    return {
      description: 'short',
      chat: async ({ messages }) => respond(messages.at(-1)?.role),
      async *streamChat({ messages }) {
        yield { type: 'finish', response: respond(messages.at(-1)?.role) };
      },
    };
  }

  // A run holds some 50 kB: two thousand that were kept would be 100 MB.
  it('does not grow', async () => {
    const { agent } = agentOf(shortProvider());
    const signal = new AbortController().signal;
    const context = OperatorContext.root({ signal });
    expect(await growth(() => agent.execute('go', context))).toBeLessThan(4 * MB);
  });

  it('does not grow: streamed', async () => {
    const { streaming } = agentOf(shortProvider());
    const run = async (): Promise<undefined> => void (await collectChunks(streaming, 'go'));
    expect(await growth(run)).toBeLessThan(4 * MB);
  });

  it('does not grow: runs that fail', async () => {
    const agent: AgentLoopOperator = agentOf({
      ...shortProvider(),
      chat: () => Promise.reject(new Error('x'.repeat(10_000))),
    }).agent;
    const run = (): Promise<AgentOutput | undefined> =>
      agent.execute('go', OperatorContext.root()).catch(() => undefined);
    expect(await growth(run)).toBeLessThan(4 * MB);
  });
});
