import type { LlmMessage, LlmRequest } from '@nestor/core';
import { describe, expect, it } from 'vitest';
import type { QuestionPattern } from './question.js';
import { ScriptedProvider } from './scripted.provider.js';

const ask = (content: string, ...later: LlmMessage[]): LlmRequest => ({
  model: 'm',
  messages: [{ role: 'user', content }, ...later],
});

describe('which rule answers', () => {
  it.each<[string, QuestionPattern, boolean]>([
    ['an expression found in the question', /A-\d+/, true],
    ['an expression that is not', /B-\d+/, false],
    ['the whole text', 'Where is A-17?', true],
    ['a part of the text', 'A-17', false],
    ['a function that says yes', (text, { model }) => text.endsWith('?') && model === 'm', true],
    ['a function that says no', () => false, false],
  ])('%s', async (_, pattern, answers) => {
    const model = new ScriptedProvider()
      .whenAsked(pattern)
      .thenAnswer('rule')
      .otherwise()
      .thenAnswer('other');
    const { message } = await model.chat(ask('Where is A-17?'));
    expect(message.content).toBe(answers ? 'rule' : 'other');
  });

  it('the first that matches, wherever the default stands', async () => {
    const model = new ScriptedProvider()
      .otherwise()
      .thenAnswer('default')
      .whenAsked(/a/)
      .thenAnswer('first')
      .whenAsked(/ab/)
      .thenAnswer('second');
    const answers = await Promise.all(['ab', 'b'].map((text) => model.chat(ask(text))));
    expect(answers.map(({ message }) => message.content)).toEqual(['first', 'default']);
  });

  it('the same each time, also with an expression that keeps a place', async () => {
    const model = new ScriptedProvider().whenAsked(/a/g).thenAnswer('yes');
    for (let n = 0; n < 3; n++) expect((await model.chat(ask('a'))).message.content).toBe('yes');
  });

  it('reads the text of content parts', async () => {
    const model = new ScriptedProvider().whenAsked('What is\nthis?').thenAnswer('A cat.');
    const parts = [
      { type: 'text', text: 'What is' },
      { type: 'image', url: 'https://example.org/cat.png' },
      { type: 'text', text: 'this?' },
    ] as const;
    const { message } = await model.chat({ model: 'm', messages: [{ role: 'user', content: null, parts }] });
    expect(message.content).toBe('A cat.');
  });

  it('the later of two defaults', async () => {
    const model = new ScriptedProvider().otherwise().thenAnswer('old').otherwise().thenAnswer('new');
    expect((await model.chat(ask('x'))).message.content).toBe('new');
  });
});

describe('what a script cannot answer', () => {
  it('is told with the question and the rules', async () => {
    const isLong = (text: string): boolean => text.length > 1_000;
    const model = new ScriptedProvider();
    model.whenAsked(/order/i);
    model.whenAsked('Hello');
    model.whenAsked(isLong);
    model.whenAsked(() => false);
    await expect(model.chat(ask('Where is my invoice?'))).rejects.toMatchObject({
      code: 'script_unmatched',
      message: expect.stringContaining(
        'no rule for the question "Where is my invoice?". Rules: /order/i, "Hello", the function isLong, a function. Add one',
      ),
    });
  });

  it('is cut if it is long', async () => {
    const error: unknown = await new ScriptedProvider().chat(ask('x'.repeat(5_000))).catch((e: unknown) => e);
    expect(String(error).length).toBeLessThan(600);
  });

  it('is a request without a question', async () => {
    const model = new ScriptedProvider().whenAsked(/./).thenAnswer('x');
    await expect(model.chat({ model: 'm', messages: [] })).rejects.toMatchObject({
      code: 'script_unmatched',
    });
  });

  it.each([
    ['whenAsked', (model: ScriptedProvider) => model.whenAsked(/order/), 'The rule /order/ has 1 step'],
    ['otherwise', (model: ScriptedProvider) => model.otherwise(), 'The rule otherwise() has 1 step'],
  ])('is a turn after the last step of %s', async (_, rule, message) => {
    const model = new ScriptedProvider();
    rule(model).thenAnswer('Shipped.');
    const request = ask('order', { role: 'assistant', content: 'Shipped.' });
    await expect(model.chat(request)).rejects.toMatchObject({ code: 'script_exhausted' });
    await expect(model.chat(request)).rejects.toThrow(`${message}, but the model was called 2 times`);
  });
});
