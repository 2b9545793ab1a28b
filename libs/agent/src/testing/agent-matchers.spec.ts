import {
  AgentBuilder,
  AgentLoopOperator,
  InMemoryConversationStore,
  LlmChatOperator,
  loopServices,
  OperatorContext,
  OperatorRegistry,
  type AgentOutput,
} from '@nestor/core';
import { beforeAll, describe, expect, it } from 'vitest';
import { agentMatchers } from './agent-matchers.js';
import { ScriptedProvider } from './scripted.provider.js';

expect.extend(agentMatchers);

const model = new ScriptedProvider()
  .whenAsked('Where are my orders?')
  .callTools(['findOrder', { id: 'A-17', options: { deep: true, page: 1 } }], ['findOrder', { id: 'B-2' }])
  .callTool('note', '{bad')
  .callTool('count')
  .thenAnswer('A-17 is shipped.')
  .whenAsked('Bye')
  .thenAnswer('Bye.');
model.whenAsked('A human!').callTool('escalate');

const registry = new OperatorRegistry()
  .register('llmChat', new LlmChatOperator(model), { kind: 'model' })
  .register('findOrder', { execute: ({ id }: { id: string }) => ({ id, lines: [1, 2], at: new Date(0) }) })
  .register('note', { execute: () => 'noted' })
  .register('count', { execute: () => '17' })
  .register('escalate', { execute: () => 'x'.repeat(3_000) });
const def = AgentBuilder.create('desk')
  .model('m')
  .tools('all')
  .exitCondition(({ toolCall }) => toolCall('escalate'))
  .build();
const agent = new AgentLoopOperator(
  'desk',
  def,
  registry,
  loopServices({ sessions: new InMemoryConversationStore() }),
);
const run = (input: string, sessionId?: string): Promise<AgentOutput> =>
  agent.execute(input, OperatorContext.root({ sessionId }));

/** What a failed assertion says. */
function failure(assertion: () => unknown): string {
  try {
    assertion();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('The assertion holds.');
}

let orders: AgentOutput;
let bye: AgentOutput;
beforeAll(async () => {
  orders = await run('Where are my orders?');
  bye = await run('Bye');
});

describe('toHaveCalledTool', () => {
  it('holds if a call has the name and at least the arguments', () => {
    expect(orders).toHaveCalledTool('findOrder');
    expect(orders).toHaveCalledTool('findOrder', { id: 'B-2' });
    expect(orders).toHaveCalledTool('findOrder', { options: { page: 1 } });
    expect(orders).toHaveCalledTool('findOrder', { id: expect.stringMatching(/^A-/) });
    expect(orders).toHaveCalledTool('findOrder', expect.objectContaining({ options: expect.any(Object) }));
    expect(orders).toHaveCalledTool('count', {});
    expect(orders).toHaveCalledTool('note');
  });

  it('does not hold for another name, other arguments or arguments of two calls', () => {
    expect(bye).not.toHaveCalledTool('findOrder');
    expect(orders).not.toHaveCalledTool('findOrder', { id: 'C-3' });
    expect(orders).not.toHaveCalledTool('findOrder', { id: expect.any(Number) });
    expect(orders).not.toHaveCalledTool('findOrder', { id: 'B-2', options: { page: 1 } });
    expect(orders).not.toHaveCalledTool('note', { text: 'x' });
  });

  it('sees the calls of this run only, not those before it in the session', async () => {
    await run('Where are my orders?', 's');
    const second = await run('Bye', 's');
    expect(second.messages.some(({ toolCalls }) => toolCalls)).toBe(true);
    expect(second).not.toHaveCalledTool('findOrder');
    expect(second).not.toHaveToolResult('findOrder', expect.anything());
    expect(await run('Where are my orders?', 's')).toHaveCalledTool('findOrder');
  });

  it('tells which calls there were', () => {
    const message = failure(() => expect(orders).toHaveCalledTool('findOrder', { id: expect.any(Number) }));
    expect(message).toMatch(/^Expected the run to call findOrder with [^]*"id": Any<Number>/);
    expect(message).toContain('\nCalls:\n  findOrder {"id":"A-17","options":{"deep":true,"page":1}}\n  find');
    expect(message).toContain('\n  note {}\n  count {}');
    expect(failure(() => expect(bye).toHaveCalledTool('count'))).toBe(
      'Expected the run to call count.\nThe run called no tool.',
    );
    expect(failure(() => expect(orders).not.toHaveCalledTool('count'))).toMatch(
      /^Expected the run not to call count\.\nCalls:\n {2}findOrder /,
    );
  });
});

describe('toHaveAnswered', () => {
  it('takes the whole text, or an expression found in it', () => {
    expect(orders).toHaveAnswered('A-17 is shipped.');
    expect(orders).toHaveAnswered(/shipped/);
    expect(orders).toHaveAnswered(expect.stringContaining('17'));
    expect(orders).not.toHaveAnswered('shipped');
    expect(orders).not.toHaveAnswered(/lost/);
  });

  it('tells what the answer is', () => {
    expect(failure(() => expect(bye).toHaveAnswered('Hello.'))).toBe(
      'Expected the answer to be "Hello.".\nIt is: "Bye."',
    );
    expect(failure(() => expect(bye).toHaveAnswered(/hello/i))).toBe(
      'Expected the answer to match /hello/i.\nIt is: "Bye."',
    );
    expect(failure(() => expect(bye).not.toHaveAnswered(/Bye/))).toBe(
      'Expected the answer not to match /Bye/.\nIt is: "Bye."',
    );
  });
});

describe('toHaveExited', () => {
  it('compares the reason', async () => {
    expect(bye).toHaveExited('stop');
    expect(await run('A human!')).toHaveExited('exit_condition');
    expect(bye).not.toHaveExited('max_turns');
  });

  it('tells the reason', () => {
    expect(failure(() => expect(bye).toHaveExited('deadline'))).toBe(
      'Expected the run to exit with "deadline".\nIt exited with "stop".',
    );
    expect(failure(() => expect(bye).not.toHaveExited('stop'))).toBe(
      'Expected the run not to exit with "stop".\nIt exited with "stop".',
    );
  });
});

describe('toHaveToolResult', () => {
  it('holds if a call gave at least this to the model', () => {
    expect(orders).toHaveToolResult('findOrder', { id: 'A-17' });
    expect(orders).toHaveToolResult('findOrder', { lines: [1, 2], at: '1970-01-01T00:00:00.000Z' });
    expect(orders).toHaveToolResult('findOrder', { id: expect.stringMatching(/^B/) });
    expect(orders).toHaveToolResult('count', '17');
    expect(orders).toHaveToolResult('count', 17);
    expect(orders).toHaveToolResult('note', { error: { code: 'invalid_json' } });
  });

  it('does not hold for another result or another tool', () => {
    expect(orders).not.toHaveToolResult('findOrder', { id: 'C-3' });
    expect(orders).not.toHaveToolResult('findOrder', { lines: [1] });
    expect(orders).not.toHaveToolResult('count', 'noted');
    expect(bye).not.toHaveToolResult('findOrder', expect.anything());
  });

  it('tells what it gave', () => {
    const message = failure(() => expect(orders).toHaveToolResult('findOrder', 'lost'));
    expect(message).toMatch(
      /^Expected findOrder to give "lost"\.\nResults:\n {2}\{"id":"A-17"[^]*\n {2}\{"id":"B-2"/,
    );
    expect(failure(() => expect(bye).toHaveToolResult('count', 1))).toBe(
      'Expected count to give 1.\nIt was not called. The run called no tool.',
    );
    expect(failure(() => expect(orders).not.toHaveToolResult('count', '17'))).toBe(
      'Expected count not to give "17".\nResults:\n  17',
    );
  });

  it('cuts long results in its message', async () => {
    const escalated = await run('A human!');
    expect(failure(() => expect(escalated).toHaveToolResult('escalate', 'y')).length).toBeLessThan(700);
  });

  it('tells of a call that has no result', () => {
    const open = { ...orders, messages: orders.messages.filter(({ role }) => role !== 'tool') };
    expect(open).not.toHaveToolResult('count', '17');
    expect(failure(() => expect(open).toHaveToolResult('count', '17'))).toContain('\n  (none yet)');
  });
});

describe('what is not the output of a run', () => {
  it('is told, a promise with the remedy', async () => {
    const running = run('Bye');
    expect(failure(() => expect(running).toHaveAnswered('Bye.'))).toContain('got a promise: await it first.');
    expect(failure(() => expect('Bye.').not.toHaveCalledTool('x'))).toContain('got string.');
    expect(failure(() => expect({ messages: [] }).toHaveExited('stop'))).toContain('got object.');
    await expect(running).resolves.toHaveAnswered('Bye.');
  });

  it('is not the JSON of an output: that is one', () => {
    expect(JSON.parse(JSON.stringify(orders))).toHaveCalledTool('findOrder', { id: 'A-17' });
  });
});
