import { describe, expect, it } from 'vitest';
import { AgentDefinitionException } from '../errors/agent-definition.exception.js';
import { AgentLoopOperator } from '../loop/agent-loop.operator.js';
import { StreamingAgentLoopOperator } from '../loop/streaming-agent-loop.operator.js';
import { AgentMemoryStrategy } from '../memory/agent-memory-strategy.js';
import { OperatorRegistry } from '../operators/operator.registry.js';
import { AgentBuilder } from './agent.builder.js';
import type { AgentDef } from './agent-def.js';
import { toolRef, type ToolOptions } from './tool-ref.js';

const minimal = (): AgentBuilder => AgentBuilder.create('support').model('m');

/** Every setting, in another value than its default. */
function complete(): AgentBuilder {
  return minimal()
    .systemPrompt('Be brief.')
    .maxTurns(3)
    .maxToolConcurrency(2)
    .temperature(0.5)
    .memory(AgentMemoryStrategy.slidingWindow(8))
    .tool('search')
    .tools('all')
    .exitCondition(() => true)
    .streaming(true)
    .streamingBufferCapacity(4)
    .toolTimeout(1_000)
    .maxTokens(200)
    .maxTotalTokens(5_000)
    .deadline(30_000)
    .onMaxTurns('finalize')
    .repeatedCallLimit(0)
    .toolResultLimit(500)
    .responseFormat({ type: 'object', properties: {} });
}

describe('AgentBuilder', () => {
  it('gives every field that is not set its default', () => {
    expect(minimal().build()).toEqual({
      id: 'support',
      model: 'm',
      systemPrompt: null,
      maxTurns: 10,
      maxToolConcurrency: null,
      temperature: null,
      memoryStrategy: { kind: 'full' },
      tools: [],
      allTools: false,
      exitCondition: null,
      streaming: false,
      streamingBufferCapacity: 16,
      toolTimeout: 60_000,
      maxTokens: null,
      maxTotalTokens: null,
      deadline: null,
      onMaxTurns: 'throw',
      repeatedCallLimit: 3,
      toolResultLimit: 20_000,
      responseFormat: null,
    });
  });

  it('sets every field', () => {
    expect(complete().build()).toEqual({
      id: 'support',
      model: 'm',
      systemPrompt: 'Be brief.',
      maxTurns: 3,
      maxToolConcurrency: 2,
      temperature: 0.5,
      memoryStrategy: { kind: 'sliding_window', size: 8 },
      tools: [toolRef('search')],
      allTools: true,
      exitCondition: expect.any(Function),
      streaming: true,
      streamingBufferCapacity: 4,
      toolTimeout: 1_000,
      maxTokens: 200,
      maxTotalTokens: 5_000,
      deadline: 30_000,
      onMaxTurns: 'finalize',
      repeatedCallLimit: 0,
      toolResultLimit: 500,
      responseFormat: expect.objectContaining({ name: 'answer' }),
    });
  });

  it('can unset what was set', () => {
    const unset = complete()
      .systemPrompt(null)
      .maxToolConcurrency(null)
      .temperature(null)
      .exitCondition(null)
      .maxTokens(null)
      .maxTotalTokens(null)
      .deadline(null)
      .responseFormat(null)
      .build();
    for (const field of [
      'systemPrompt',
      'maxToolConcurrency',
      'temperature',
      'exitCondition',
      'maxTokens',
      'maxTotalTokens',
      'deadline',
      'responseFormat',
    ] as const) {
      expect(unset[field]).toBeNull();
    }
  });

  it('needs a model, and says so', () => {
    expect(() => AgentBuilder.create('support').build()).toThrow(AgentDefinitionException);
    expect(() => AgentBuilder.create('support').build()).toThrow(
      'Agent "support": model is undefined; it must be set to the model id, such as "gpt-4o-mini"',
    );
  });

  it('refuses a number as an exit condition when it is built, not when it runs', () => {
    const builder = minimal().exitCondition(7 as never);
    expect(() => builder.build()).toThrow('exitCondition is');
  });

  it('takes tools by name and ready made, in order', () => {
    const own = toolRef('own', { operator: 'op' });
    const def = minimal().tool('first').tool(own).tool('last', { description: 'The last' }).build();
    expect(def.tools.map(({ name }) => name)).toEqual(['first', 'own', 'last']);
    expect(def.tools[1]).toBe(own);
    expect(def.tools[2]).toMatchObject({ operatorRef: 'last', description: 'The last' });
  });

  it('B132: builds frozen definitions that later calls do not change', () => {
    const builder = minimal().tool('one').responseFormat({ type: 'object', properties: {} });
    const def = builder.build();
    builder.tool('two').maxTurns(99);
    expect(def).toMatchObject({ maxTurns: 10, tools: [{ name: 'one' }] });
    for (const part of [def, def.tools, def.tools[0], def.memoryStrategy, def.responseFormat]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
    expect(builder.build()).toMatchObject({ maxTurns: 99, tools: [{ name: 'one' }, { name: 'two' }] });
  });
});

describe('AgentBuilder.from', () => {
  it.each<[string, () => AgentDef]>([
    ['the least', () => minimal().build()],
    ['everything', () => complete().build()],
  ])('gives the same definition back: %s', (_, make) => {
    const def = make();
    expect(AgentBuilder.from(def).build()).toEqual(def);
  });

  it('changes a copy', () => {
    const def = complete().build();
    const changed = AgentBuilder.from(def).model('other').tool('extra').build();
    expect(changed).toEqual({ ...def, model: 'other', tools: [...def.tools, toolRef('extra')] });
    expect(def.tools).toHaveLength(1);
  });
});

describe('AgentBuilder makes operators', () => {
  const registry = new OperatorRegistry().register('search', { execute: () => 'found' });

  it('that run the agent, whole or streaming', () => {
    const plain = complete().toOperator('ref', registry);
    const streaming = complete().toStreamingOperator('ref', registry);
    expect(plain).toBeInstanceOf(AgentLoopOperator);
    expect(streaming).toBeInstanceOf(StreamingAgentLoopOperator);
    for (const operator of [plain, streaming]) {
      expect(operator).toMatchObject({ ref: 'ref', def: { id: 'support', maxTurns: 3 } });
    }
  });

  it('after checking the definition and the registry', () => {
    expect(() => minimal().maxTurns(0).toOperator('ref', registry)).toThrow('maxTurns is 0');
    expect(() => minimal().maxTurns(0).toStreamingOperator('ref', registry)).toThrow('maxTurns is 0');
    expect(() => minimal().tool('serch').toOperator('ref', registry)).toThrow('Did you mean "search"?');
    expect(() => minimal().tool('serch').toStreamingOperator('ref', registry)).toThrow(
      AgentDefinitionException,
    );
  });
});

describe('what plain JavaScript may hand in', () => {
  /** As from JavaScript, where no type is checked. */
  const add = (options: unknown): AgentBuilder => minimal().tool('t', options as ToolOptions);

  it.each<[unknown, string]>([
    [null, 'the options of tool "t" is null; it must be an object such as { operator, description, input }.'],
    [[], 'the options of tool "t" is []; it must be an object such as { operator, description, input }.'],
    [{ operator: '' }, 'operator of tool "t" is ""; it must be the name of a registered operator.'],
    [{ operator: 5 }, 'operator of tool "t" is 5; it must be the name of a registered operator.'],
    [{ description: 5 }, 'description of tool "t" is 5; it must be a text.'],
    [
      { parameters: 'nope' },
      'parameters of tool "t" is "nope"; it must be a JSON Schema such as { type: "object", properties: { … } }.',
    ],
    [{ input: 5 }, 'input of tool "t" is 5; it must be a function, or expressions by field.'],
    [
      { input: JSON.parse('{ "__proto__": "1" }') as unknown },
      'input of tool "t" has the field "__proto__", which is always null; give the field another name.',
    ],
  ])('a tool with the options %j is refused', (options, problem) => {
    expect(() => add(options)).toThrow(new AgentDefinitionException('support', [problem]));
  });

  it.each<unknown>([null, undefined, {}, 5, { tools: 5 }])('from(%j) is refused', (def) => {
    expect(() => AgentBuilder.from(def as AgentDef)).toThrow(AgentDefinitionException);
    expect(() => AgentBuilder.from(def as AgentDef)).toThrow('must be an AgentDef');
  });

  it('a BigInt is shown as one', () => {
    expect(() =>
      minimal()
        .maxTurns(Object(10n).valueOf() as number)
        .build(),
    ).toThrow('maxTurns is 10n; it must be a whole number >= 1.');
  });

  it('takes twenty thousand tools in the time of as many steps', () => {
    const builder = minimal();
    const ready = toolRef('t');
    const started = performance.now();
    for (let n = 0; n < 20_000; n++) builder.tool(ready);
    expect(performance.now() - started).toBeLessThan(500);
  });
});
