import { describe, expect, it } from 'vitest';
import type { LlmMessage } from '../../messages/llm-message.js';
import { WireHistory } from './wire-history.js';

const user = (content: string): LlmMessage => ({ role: 'user', content });
const json = ({ content }: LlmMessage): string => JSON.stringify(content);

describe('WireHistory', () => {
  it('holds messages in order and serialises each once', () => {
    const history = new WireHistory();
    const messages = [user('a'), user('é'), user('\u{1F525}')];
    let serialised = 0;
    const counting = (message: LlmMessage): string => {
      serialised += 1;
      return json(message);
    };
    for (const count of [1, 2, 3, 3]) history.extend(messages.slice(0, count), counting);
    expect(history.body('{"m":', ']}').toString()).toBe('{"m":["a","é","\u{1F525}"]}');
    expect(serialised).toBe(3);
  });

  it('is empty to begin with', () => {
    expect(new WireHistory().body('', ']').toString()).toBe('[]');
  });

  it('tells what goes on from it and what does not', () => {
    const history = new WireHistory();
    const [a, b] = [user('a'), user('b')];
    history.extend([a], json);
    expect(history.precedes([a])).toBe(true);
    expect(history.precedes([a, b])).toBe(true);
    expect(history.precedes([b, a])).toBe(false);
    expect(history.precedes([])).toBe(false);
  });

  it('gives bodies of their own', () => {
    const history = new WireHistory();
    history.extend([user('a')], json);
    const first = history.body('', ']');
    history.extend([user('a'), user('b')].fill(user('a'), 0, 1), json);
    expect(first.toString()).toBe('["a"]');
    first.fill(0);
    expect(history.body('', ']').toString()).toBe('["a","b"]');
  });
});
