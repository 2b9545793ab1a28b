import { describe, expect, it } from 'vitest';
import type { LlmMessage } from '../messages/llm-message.js';
import { FullMemory } from './full.memory.js';

describe('FullMemory', () => {
  it('shows everything, in one array that is never copied', () => {
    const initial: readonly LlmMessage[] = Object.freeze([{ role: 'user', content: 'hi' } as const]);
    const memory = new FullMemory(initial);
    const view = memory.view();
    memory.append({ role: 'assistant', content: 'hello' });
    expect(memory.view()).toBe(view);
    expect(memory.messages()).toBe(view);
    expect(view.map(({ content }) => content)).toEqual(['hi', 'hello']);
  });
});
