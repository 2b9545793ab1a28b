import { describe, expect, it } from 'vitest';
import { OperatorContext } from '../operators/operator.context.js';
import { LlmChatOperator } from './llm-chat.operator.js';
import { ScriptedProvider } from './scripted.provider.js';

const messages = [{ role: 'user', content: 'hello' }] as const;
const scripted = (): ScriptedProvider => new ScriptedProvider(() => ({ text: 'hi' }));

describe('LlmChatOperator', () => {
  it('replaces the model "default" and leaves others alone', async () => {
    const provider = scripted();
    const operator = new LlmChatOperator(provider, { defaultModel: 'configured' });
    await operator.execute({ model: 'default', messages }, OperatorContext.root());
    await operator.execute({ model: 'other', messages }, OperatorContext.root());
    expect(provider.requests.map(({ model }) => model)).toEqual(['configured', 'other']);
  });

  it('refuses the model "default" when none is configured', async () => {
    const operator = new LlmChatOperator(scripted());
    const answer = operator.execute({ model: 'default', messages }, OperatorContext.root());
    await expect(answer).rejects.toMatchObject({
      kind: 'invalid_request',
      message: expect.stringContaining('Set llm.model'),
    });
  });

  it('uses the signal of the context unless the request has one', async () => {
    const provider = scripted();
    const operator = new LlmChatOperator(provider);
    const outer = new AbortController().signal;
    const own = new AbortController().signal;
    const context = OperatorContext.root({ signal: outer });
    await operator.execute({ model: 'm', messages }, context);
    await operator.execute({ model: 'm', messages, signal: own }, context);
    expect(provider.requests.map(({ signal }) => signal)).toEqual([outer, own]);
  });

  it('is no tool', () => {
    expect(new LlmChatOperator(scripted()).metadata.kind).toBe('model');
  });
});
