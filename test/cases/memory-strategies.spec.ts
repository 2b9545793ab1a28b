import { describe, expect, it, vi } from 'vitest';
import {
  AgentBuilder,
  AgentMemoryStrategy,
  ContextBudgetException,
  LlmChatOperator,
  LlmStreamingChatOperator,
  llmSummarizer,
  OperatorContext,
  OperatorRegistry,
  repairHistory,
  ScriptedProvider,
  type AgentOutput,
  type ConversationMemory,
  type LlmMessage,
  type LlmRequest,
  type ScriptedStep,
} from '@nestor/core';
import { calls, collectChunks, recordingListener } from '../support/scripted-agent.js';

const root = OperatorContext.root();
const logger = () => ({ debug: vi.fn(), log: vi.fn(), warn: vi.fn(), error: vi.fn() });
const isSummaryRequest = ({ messages }: LlmRequest): boolean =>
  messages[0]?.content?.startsWith('You condense') ?? false;
const textsOf = (messages: readonly LlmMessage[]): (string | null)[] =>
  messages.map(({ content }) => content);

interface Setup {
  readonly memory: AgentMemoryStrategy;
  readonly script: (request: LlmRequest, callNumber: number) => ScriptedStep;
  readonly look?: (input: { readonly n: number }) => unknown;
}

/** An agent with one tool, whose summaries come from the model that answers. */
function remembering({ memory, script, look = ({ n }) => `seen ${n}` }: Setup) {
  const provider = new ScriptedProvider(script);
  const registry = new OperatorRegistry()
    .register('llmChat', new LlmChatOperator(provider), { kind: 'model' })
    .register('llmStreamingChat', new LlmStreamingChatOperator(provider), { kind: 'model' })
    .register('look', { execute: look });
  const listener = recordingListener();
  const warnings = logger();
  const services = {
    listeners: [listener],
    logger: warnings,
    summarizerFor: (def: { readonly id: string; readonly model: string }) => llmSummarizer(registry, def),
  };
  const builder = AgentBuilder.create('agent')
    .model('m')
    .systemPrompt('Be kind.')
    .tools('all')
    .maxTurns(20)
    .memory(memory);
  return {
    provider,
    listener,
    warnings,
    agent: builder.toOperator('agent', registry, services),
    streaming: builder.toStreamingOperator('agent', registry, services),
    /** What the agent asked, without the requests for summaries. */
    asked: () => provider.requests.filter((request) => !isSummaryRequest(request)),
    summaries: () => provider.requests.filter(isSummaryRequest),
  };
}

/** A conversation of that many questions, each with its answer. */
function talk(rounds: number): LlmMessage[] {
  return Array.from({ length: rounds }, (_, n): LlmMessage[] => [
    { role: 'user', content: `question ${n}` },
    { role: 'assistant', content: `answer ${n}` },
  ]).flat();
}

type Run = (setup: ReturnType<typeof remembering>, input: unknown) => Promise<AgentOutput>;
const ways: readonly (readonly [string, Run])[] = [
  ['not streamed', ({ agent }, input) => agent.execute(input, root)],
  [
    'streamed',
    async ({ streaming }, input) => {
      const last = (await collectChunks(streaming, input)).at(-1);
      return last?.type === 'done' ? last.finalOutput : expect.unreachable('no done');
    },
  ],
];

describe.each(ways)('a run that remembers, %s', (_, run) => {
  it('a sliding window shows the latest, and the conversation keeps everything', async () => {
    const setup = remembering({
      memory: AgentMemoryStrategy.slidingWindow(3),
      script: (__, call) => (call < 4 ? calls(['look', { n: call }]) : { text: 'done' }),
    });
    const output = await run(setup, [...talk(5), 'and now?']);
    expect(output.messages).toHaveLength(1 + 10 + 1 + 6 + 1);
    const [first, ...later] = setup.asked().map(({ messages }) => messages);
    expect(textsOf(first!)).toEqual(['Be kind.', 'question 4', 'answer 4', 'and now?']);
    later.forEach((messages, index) => {
      expect(textsOf(messages.slice(0, 2))).toEqual(['Be kind.', 'and now?']);
      expect(messages).toHaveLength(2 + 2 * (index + 1));
      expect(repairHistory(messages)).toBe(messages);
    });
  });

  it('a token budget drops the oldest and shortens what is too long', async () => {
    const setup = remembering({
      memory: AgentMemoryStrategy.tokenBudget(600),
      script: (__, call) => (call === 1 ? calls(['look', { n: 1 }]) : { text: 'done' }),
      look: () => 'a long line of words. '.repeat(500),
    });
    const output = await run(setup, [...talk(60), 'and now?']);
    const [first, second] = setup.asked().map(({ messages }) => messages);
    expect(first!.length).toBeLessThan(100);
    expect(textsOf(first!)).toEqual(expect.arrayContaining(['Be kind.', 'answer 59', 'and now?']));
    expect(second!.at(-1)?.content).toMatch(/characters cut/);
    expect(second!.at(-1)!.content!.length).toBeLessThan(2_400);
    expect(output.messages.at(-2)?.content).toHaveLength(11_000);
    expect(output.messages).toHaveLength(1 + 120 + 1 + 2 + 1);
  });

  it('a budget that cannot hold the question ends the run, with a checkpoint that can be resumed', async () => {
    const setup = remembering({
      memory: AgentMemoryStrategy.tokenBudget(200),
      script: () => ({ text: 'never' }),
    });
    const error = await run(setup, 'words and words. '.repeat(300)).then(
      () => expect.unreachable('it should have failed'),
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(ContextBudgetException);
    expect(error).toMatchObject({ runId: expect.any(String), checkpoint: { turnCount: 1 } });
    expect((error as ContextBudgetException).checkpoint?.conversation).toHaveLength(1);
    expect(setup.provider.requests).toHaveLength(0);
    expect(setup.listener.heard.at(-1)).toMatchObject({
      name: 'onAgentLoopExited',
      payload: { exitReason: 'error', totalLlmCalls: 0 },
    });
  });

  it('a summary stands for what the window has left, and is not part of the conversation', async () => {
    const setup = remembering({
      memory: AgentMemoryStrategy.summary(3),
      script: (request, call) =>
        isSummaryRequest(request)
          ? { text: 'They talked.' }
          : call < 4
            ? calls(['look', { n: call }])
            : { text: 'done' },
    });
    const output = await run(setup, [...talk(4), 'and now?']);
    expect(setup.summaries().length).toBeGreaterThan(0);
    for (const { messages } of setup.asked()) {
      expect(textsOf(messages.slice(0, 2))).toEqual([
        'Be kind.',
        expect.stringMatching(/^Summary .*They talked\.$/s),
      ]);
      expect(repairHistory(messages)).toBe(messages);
    }
    expect(textsOf(output.messages)).not.toContainEqual(expect.stringContaining('They talked.'));
    expect(setup.warnings.warn).not.toHaveBeenCalled();
  });

  it.each([
    ['throws', { error: new Error('429 slow down') }],
    ['gives nothing', { text: '' }],
  ])('a summary that %s stops nothing and loses nothing; the next turn tries again', async (__, failure) => {
    const setup = remembering({
      memory: AgentMemoryStrategy.summary(3),
      script: (request) => {
        if (isSummaryRequest(request))
          return setup.summaries().length === 1 ? failure : { text: 'They talked.' };
        return setup.asked().length === 1 ? calls(['look', { n: 1 }]) : { text: 'done' };
      },
    });
    const output = await run(setup, [...talk(4), 'and now?']);
    expect(output.content).toBe('done');
    expect(output.messages).toHaveLength(1 + 8 + 1 + 2 + 1);
    const [first, second] = setup.asked().map(({ messages }) => messages);
    expect(textsOf(first!)).toEqual(['Be kind.', 'question 3', 'answer 3', 'and now?']);
    expect(second![1]?.content).toContain('They talked.');
    expect(setup.summaries()[1]!.messages[1]!.content).toContain('question 0');
    expect(setup.warnings.warn).toHaveBeenCalledOnce();
  });

  it('a memory of the user’s own making chooses what is shown', async () => {
    const setup = remembering({
      memory: AgentMemoryStrategy.custom((initial): ConversationMemory => {
        const all = [...initial];
        return {
          append: (message) => void all.push(message),
          messages: () => all,
          view: async () => all.filter(({ content }) => !content?.includes('secret')),
        };
      }),
      script: () => ({ text: 'done' }),
    });
    const output = await run(setup, ['a secret', 'and now?']);
    expect(textsOf(setup.asked()[0]!.messages)).toEqual(['Be kind.', 'and now?']);
    expect(textsOf(output.messages)).toEqual(['Be kind.', 'a secret', 'and now?', 'done']);
  });
});

describe('a run that is aborted while its summary is made', () => {
  it('ends as aborted, not with the view of a failed summary', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const setup = remembering({
      memory: AgentMemoryStrategy.summary(1),
      script: () => {
        controller.abort(reason);
        return { text: 'too late', delayMs: 60_000 };
      },
    });
    const context = OperatorContext.root({ signal: controller.signal });
    await expect(setup.agent.execute([...talk(2), 'and now?'], context)).rejects.toMatchObject({
      code: 'aborted',
      cause: reason,
      checkpoint: { conversation: { length: 5 } },
    });
    expect(setup.warnings.warn).not.toHaveBeenCalled();
    expect(setup.asked()).toHaveLength(0);
  });
});
