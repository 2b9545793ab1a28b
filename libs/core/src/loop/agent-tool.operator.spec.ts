import { describe, expect, it, vi } from 'vitest';
import { scriptedAgent, calls } from '../../../../test/support/scripted-agent.js';
import { AgentException } from '../errors/agent.exception.js';
import { ToolException } from '../errors/tool.exception.js';
import { OperatorContext } from '../operators/operator.context.js';
import { AgentToolOperator, MAX_AGENT_DEPTH } from './agent-tool.operator.js';

/** What stands in for an agent: it answers, or fails, as it is told. */
function agentTool(execute: (input: unknown, context: OperatorContext) => unknown): AgentToolOperator {
  const agent = {
    def: { id: 'helper' },
    execute: async (input: unknown, context: OperatorContext) => (await execute(input, context)) as never,
  };
  return new AgentToolOperator(() => agent, 'Helps');
}

const resultOf = (output: { readonly toolResults: Readonly<Record<string, unknown>> }): unknown =>
  output.toolResults['c1'];

describe('an agent as a tool', () => {
  it('is asked by the outer model and gives the text of its answer', async () => {
    const helper = scriptedAgent({ script: [{ text: 'It is 42.' }] });
    const outer = scriptedAgent({
      script: [calls(['ask', { input: 'What is it?' }, 'c1']), { text: 'They say 42.' }],
      tools: { ask: helper.agent.asTool('Ask the helper') },
      define: (builder) => builder.tool('ask'),
    });
    const output = await outer.agent.execute('Find out', OperatorContext.root());
    expect([output.content, resultOf(output)]).toEqual(['They say 42.', 'It is 42.']);
    expect(helper.provider.requests[0]!.messages).toEqual([{ role: 'user', content: 'What is it?' }]);
    expect(outer.provider.requests[0]!.tools).toMatchObject([
      {
        name: 'ask',
        description: 'Ask the helper',
        parameters: { type: 'object', required: ['input'], properties: { input: { type: 'string' } } },
      },
    ]);
  });

  it('gives the value of an answer that has one', async () => {
    const helper = scriptedAgent({
      script: [{ text: '{"mood":"good"}' }],
      define: (builder) =>
        builder.responseFormat({ type: 'object', properties: { mood: { type: 'string' } } }),
    });
    const tool = helper.agent.asTool('Ask');
    expect(await tool.execute({ input: 'How?' }, OperatorContext.root())).toEqual({ mood: 'good' });
  });

  it('passes caller, ctx, logger and signal on, but not the session', async () => {
    const execute = vi.fn((_input: unknown, _context: OperatorContext) => ({ content: 'ok' }));
    const controller = new AbortController();
    const given = {
      caller: { user: 'ann' },
      graphContext: { locale: 'de' },
      traceparent: '00-1',
      logger: { log() {}, warn() {}, error() {} },
    };
    const context = OperatorContext.root({ ...given, sessionId: 's', signal: controller.signal });
    await agentTool(execute).execute({ input: 'Hi' }, context);
    const [input, inner] = execute.mock.calls[0]!;
    expect(input).toBe('Hi');
    expect(inner).toMatchObject({ ...given, sessionId: undefined, agentDepth: 1 });
    expect(inner.signal).toBe(controller.signal);
  });

  it('is not among all tools: it is offered where it is named', async () => {
    const helper = scriptedAgent({ script: [] });
    const outer = scriptedAgent({ script: [{ text: 'Alone.' }], tools: { ask: helper.agent.asTool('Ask') } });
    await outer.agent.execute('Hi', OperatorContext.root());
    expect(outer.provider.requests[0]!.tools).toBeUndefined();
  });

  it('looks its agent up when it is called, so that agents can name one another', async () => {
    const agent = vi.fn(() => ({ def: { id: 'late' }, execute: async () => ({ content: 'ok' }) as never }));
    const tool = new AgentToolOperator(agent, 'Late');
    expect(agent).not.toHaveBeenCalled();
    expect(await tool.execute({ input: 'Hi' }, OperatorContext.root())).toBe('ok');
  });

  it.each([[undefined], ['Hi'], [{}], [{ input: 7 }]])('refuses the arguments %j', async (value) => {
    expect(await agentTool(() => {}).metadata.input!.validate(value)).toMatchObject({ ok: false });
  });
});

describe('when the inner run fails', () => {
  it('the outer model is told, and the outer run goes on', async () => {
    const helper = scriptedAgent({
      script: [calls(['ping'])],
      tools: { ping: () => 'pong' },
      define: (builder) => builder.maxTurns(1),
    });
    const outer = scriptedAgent({
      script: [calls(['ask', { input: 'Go' }, 'c1']), { text: 'No luck.' }],
      tools: { ask: helper.agent.asTool('Ask') },
      define: (builder) => builder.tool('ask'),
    });
    const output = await outer.agent.execute('Go', OperatorContext.root());
    expect(output).toMatchObject({ content: 'No luck.', exitReason: 'stop' });
    const told = outer.provider.requests[1]!.messages.at(-1)!.content!;
    expect(JSON.parse(told)).toEqual({
      error: { code: 'failed', message: expect.stringContaining('used its 1 turns without a final answer') },
    });
  });

  it('the cause is kept', async () => {
    const cause = new AgentException('Broken.', { code: 'x' });
    const run = agentTool(() => Promise.reject(cause)).execute({ input: 'Hi' }, OperatorContext.root());
    await expect(run).rejects.toThrow(ToolException);
    await expect(run).rejects.toMatchObject({ code: 'failed', message: 'Broken.', cause });
  });

  it('an error of another kind is passed on as it is', async () => {
    const error = new TypeError('Not a function.');
    const run = agentTool(() => Promise.reject(error)).execute({ input: 'Hi' }, OperatorContext.root());
    await expect(run).rejects.toBe(error);
  });

  it('because the outer run was aborted, both end', async () => {
    const controller = new AbortController();
    const helper = scriptedAgent({
      script: () => {
        controller.abort(new Error('Enough.'));
        return { text: 'Too late.' };
      },
    });
    const outer = scriptedAgent({
      script: [calls(['ask', { input: 'Go' }]), { text: 'never asked' }],
      tools: { ask: helper.agent.asTool('Ask') },
      define: (builder) => builder.tool('ask'),
    });
    const run = outer.agent.execute('Go', OperatorContext.root({ signal: controller.signal }));
    await expect(run).rejects.toMatchObject({ code: 'aborted', message: expect.stringContaining('Enough') });
    expect(outer.provider.requests).toHaveLength(1);
  });
});

describe('agents that call one another', () => {
  it('do so five deep at most', async () => {
    const turns = scriptedAgent({
      script: ({ messages }) =>
        messages.at(-1)!.role === 'user'
          ? calls(['deeper', { input: 'Go on' }])
          : { text: messages.at(-1)!.content ?? '' },
      tools: { deeper: new AgentToolOperator(() => turns.agent, 'Ask yourself') },
      define: (builder) => builder.tool('deeper'),
    });
    const { content } = await turns.agent.execute('Go', OperatorContext.root());
    expect(JSON.parse(content)).toEqual({
      error: { code: 'limit', message: 'Agents call one another 5 deep at most; "agent" was not run.' },
    });
    expect(turns.provider.requests).toHaveLength(2 * (MAX_AGENT_DEPTH + 1));
  });
});
