import { afterEach, describe, expect, it, vi } from 'vitest';
import type { LlmMessage } from '../messages/llm-message.js';
import { InMemoryConversationStore } from './in-memory-conversation.store.js';

const user = (content: string): LlmMessage => ({ role: 'user', content });

describe('InMemoryConversationStore', () => {
  afterEach(() => void vi.useRealTimers());

  it('keeps messages in order and counts versions', () => {
    const store = new InMemoryConversationStore();
    expect(store.load('s')).toEqual({ messages: [], version: 0 });
    expect(store.append('s', [user('a')], 0)).toBe(1);
    expect(store.append('s', [user('b'), user('c')], 1)).toBe(2);
    expect(store.load('s')).toEqual({ messages: [user('a'), user('b'), user('c')], version: 2 });
  });

  it('refuses an append to another version and writes nothing', () => {
    const store = new InMemoryConversationStore();
    store.append('s', [user('a')], 0);
    expect(() => store.append('s', [user('b')], 0)).toThrow(/"s".*version is 1, not the expected 0/);
    expect(store.load('s').messages).toEqual([user('a')]);
  });

  it('is not changed through what it gave', () => {
    const store = new InMemoryConversationStore();
    store.append('s', [user('a')], 0);
    const { messages } = store.load('s');
    store.append('s', [user('b')], 1);
    expect(messages).toEqual([user('a')]);
  });

  it('drops the least recently used session over its limit', () => {
    const store = new InMemoryConversationStore({ maxSessions: 2 });
    store.append('a', [user('1')], 0);
    store.append('b', [user('1')], 0);
    store.load('a');
    store.append('c', [user('1')], 0);
    expect(store.list().map(({ sessionId }) => sessionId)).toEqual(['c', 'a']);
  });

  it('forgets a session after its time', () => {
    vi.useFakeTimers();
    const store = new InMemoryConversationStore({ ttlMs: 1000 });
    store.append('s', [user('a')], 0);
    vi.advanceTimersByTime(1001);
    expect(store.load('s').version).toBe(0);
    expect(store.list()).toEqual([]);
  });

  it('deletes', () => {
    const store = new InMemoryConversationStore();
    store.append('s', [user('a')], 0);
    expect(store.delete('s')).toBe(true);
    expect(store.delete('s')).toBe(false);
  });
});
