import {
  AgentBuilder,
  AgentLoopOperator,
  LlmChatOperator,
  LlmStreamingChatOperator,
  OperatorContext,
  OperatorRegistry,
  StreamingAgentLoopOperator,
  InMemoryConversationStore,
  loopServices,
  type AgentOutput,
  type AgentStreamChunk,
  type LlmRequest,
} from '@nestor/core';
import { describe, expect, it } from 'vitest';
import { collectChunks } from '../../../../test/support/scripted-agent.js';
import { ScriptedProvider } from './scripted.provider.js';

const ask = (content: string): LlmRequest => ({ model: 'm', messages: [{ role: 'user', content }] });

/** A desk with two tools, run and streamed, with sessions. */
function desk(provider: ScriptedProvider) {
  const registry = new OperatorRegistry()
    .register('llmChat', new LlmChatOperator(provider), { kind: 'model' })
    .register('llmStreamingChat', new LlmStreamingChatOperator(provider), { kind: 'model' })
    .register('findOrder', { execute: ({ id }: { id: string }) => ({ id, status: 'shipped' }) })
    .register('findCustomer', { execute: () => ({ name: 'Ann' }) });
  const def = AgentBuilder.create('desk').model('m').tool('findOrder').tool('findCustomer').build();
  const services = loopServices({ sessions: new InMemoryConversationStore() });
  const agent = new AgentLoopOperator('desk', def, registry, services);
  const streaming = new StreamingAgentLoopOperator('desk', def, registry, services);
  return {
    run: (input: unknown, sessionId?: string): Promise<AgentOutput> =>
      agent.execute(input, OperatorContext.root({ sessionId })),
    stream: (input: string): Promise<AgentStreamChunk[]> => collectChunks(streaming, input),
  };
}

/** The tools called and the text given, in order. */
const course = ({ messages }: AgentOutput): unknown[] =>
  messages
    .filter(({ role }) => role === 'assistant')
    .map(({ content, toolCalls }) => toolCalls?.map((call) => `${call.name} ${call.arguments}`) ?? content);

describe('ScriptedProvider with rules', () => {
  it('calls a tool, then answers', async () => {
    const model = new ScriptedProvider()
      .whenAsked(/order/)
      .callTool('findOrder', { id: 'A-17' })
      .thenAnswer('It is shipped.');
    const output = await desk(model).run('Where is my order?');
    expect(course(output)).toEqual([['findOrder {"id":"A-17"}'], 'It is shipped.']);
    expect(Object.values(output.toolResults)).toEqual([{ id: 'A-17', status: 'shipped' }]);
  });

  it('takes a turn for each callTool, and one for all of callTools', async () => {
    const model = new ScriptedProvider()
      .whenAsked('Both, please.')
      .callTool('findCustomer')
      .callTools(['findOrder', { id: 'A-17' }], ['findOrder', { id: 'A-18' }])
      .thenAnswer('Done.');
    const output = await desk(model).run('Both, please.');
    expect(course(output)).toEqual([
      ['findCustomer {}'],
      ['findOrder {"id":"A-17"}', 'findOrder {"id":"A-18"}'],
      'Done.',
    ]);
    expect(output.turnsUsed).toBe(3);
  });

  it('sends arguments that are a text as they are', async () => {
    const model = new ScriptedProvider().whenAsked('x').callTool('findOrder', '{bad').thenAnswer('Sorry.');
    const output = await desk(model).run('x');
    expect(output.messages[2]?.content).toContain('invalid_json');
    expect(output.content).toBe('Sorry.');
  });

  it('makes an answer of the request, which holds the results', async () => {
    const model = new ScriptedProvider()
      .whenAsked(/order/)
      .callTool('findOrder', { id: 'A-17' })
      .thenAnswer(({ messages }) => `I found ${messages.at(-1)?.content}`);
    expect((await desk(model).run('My order?')).content).toBe('I found {"id":"A-17","status":"shipped"}');
  });

  it('streams what it answers, word by word', async () => {
    const model = new ScriptedProvider()
      .whenAsked(/order/)
      .callTool('findOrder', { id: 'A-17' })
      .thenAnswer('It is shipped.');
    const chunks = await desk(model).stream('My order?');
    expect(chunks.map((chunk) => (chunk.type === 'token' ? chunk.text : chunk.type))).toEqual([
      'tool_start',
      'tool_end',
      'It ',
      'is ',
      'shipped.',
      'done',
    ]);
  });

  it('fails where the script says so, streamed or not', async () => {
    const model = new ScriptedProvider()
      .whenAsked('down')
      .thenFail()
      .whenAsked('own')
      .callTool('findCustomer')
      .thenFail(new RangeError('out of range'))
      .whenAsked('made')
      .thenFail(({ model: name }) => new Error(`${name} is gone`));
    const { run, stream } = desk(model);
    await expect(run('down')).rejects.toMatchObject({ code: 'llm_unavailable', retryable: true });
    await expect(stream('own')).rejects.toMatchObject({ cause: new RangeError('out of range') });
    await expect(run('made')).rejects.toThrow('m is gone');
  });

  it('gives each run an error of its own when none is given', async () => {
    const { run } = desk(new ScriptedProvider().otherwise().thenFail());
    const errors = await Promise.all([1, 2].map((n) => run(`${n}`).catch((error: unknown) => error)));
    expect(errors[0]).not.toBe(errors[1]);
  });

  it('fails what no rule answers, streamed or not', async () => {
    await expect(desk(new ScriptedProvider()).run('Hello?')).rejects.toMatchObject({
      code: 'script_unmatched',
    });
    await expect(desk(new ScriptedProvider()).stream('Hello?')).rejects.toThrow('Rules: none.');
  });
});

describe('which step is next', () => {
  const script = (): ScriptedProvider =>
    new ScriptedProvider()
      .whenAsked(/order (\S+)/)
      .callTool('findCustomer')
      .callTool('findOrder', { id: 'A-17' })
      .thenAnswer(({ messages }) => `${messages[0]?.content}: shipped`);
  const expected = (input: string): unknown[] => [
    ['findCustomer {}'],
    ['findOrder {"id":"A-17"}'],
    `${input}: shipped`,
  ];

  it('is told apart between runs and streams at the same time', async () => {
    const { run, stream } = desk(script());
    const inputs = Array.from({ length: 20 }, (_, n) => `order ${n}`);
    const outputs = await Promise.all(
      inputs.map(async (input, n) => {
        if (n % 2) return run(input);
        const last = (await stream(input)).at(-1);
        if (last?.type !== 'done') throw new Error('The stream has no end.');
        return last.finalOutput;
      }),
    );
    expect(outputs.map(course)).toEqual(inputs.map(expected));
  });

  it('begins again with each question of a session', async () => {
    const { run } = desk(script());
    await run('order 1', 's');
    const second = await run('order 1', 's');
    expect(course(second)).toEqual([...expected('order 1'), ...expected('order 1')]);
  });

  it('is the same for a request that is made again', async () => {
    const model = new ScriptedProvider().whenAsked('x').callTool('findCustomer').thenAnswer('y');
    const first = await model.chat(ask('x'));
    const again = await model.chat(ask('x'));
    expect(again.message.toolCalls?.[0]?.name).toBe(first.message.toolCalls?.[0]?.name);
  });

  it('needs no end where the run ends before', async () => {
    const model = new ScriptedProvider();
    model.whenAsked('x').callTool('findCustomer');
    expect((await model.chat(ask('x'))).finishReason).toBe('tool_calls');
  });
});

describe('ScriptedProvider with a list', () => {
  it('answers in order, and from the start after a reset', async () => {
    const model = new ScriptedProvider([{ text: 'one' }, { text: 'two' }]);
    const texts = async (): Promise<unknown[]> => [
      (await model.chat(ask('a'))).message.content,
      (await model.chat(ask('a'))).message.content,
    ];
    expect(await texts()).toEqual(['one', 'two']);
    model.reset();
    expect(await texts()).toEqual(['one', 'two']);
  });

  it('takes no rules', () => {
    const model = new ScriptedProvider([]);
    for (const add of [() => model.whenAsked(/x/), () => model.otherwise()]) {
      expect(add).toThrow(expect.objectContaining({ code: 'invalid_script' }));
    }
  });
});

describe('what was asked', () => {
  it('is kept, with the tools that were offered', async () => {
    const model = new ScriptedProvider().otherwise().thenAnswer('Hello.');
    expect([model.lastRequest, model.toolNames()]).toEqual([undefined, []]);
    const { run } = desk(model);
    await run('first');
    await model.chat(ask('second'));
    expect(model.requests).toHaveLength(2);
    expect(model.lastRequest?.messages.at(-1)?.content).toBe('second');
    expect(model.toolNames()).toEqual([]);
    expect(model.toolNames(model.requests[0])).toEqual(['findOrder', 'findCustomer']);
  });

  it('is forgotten by a reset, as are the rules', async () => {
    const model = new ScriptedProvider().whenAsked('x').thenAnswer('y').otherwise().thenAnswer('z');
    await model.chat(ask('x'));
    model.reset();
    expect(model.requests).toEqual([]);
    await expect(model.chat(ask('x'))).rejects.toThrow('Rules: none.');
    await expect(model.whenAsked('x').thenAnswer('new').chat(ask('x'))).resolves.toMatchObject({
      message: { content: 'new' },
    });
  });
});
