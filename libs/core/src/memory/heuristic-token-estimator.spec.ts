import { describe, expect, it } from 'vitest';
import type { LlmMessage } from '../messages/llm-message.js';
import { HEURISTIC_TOKEN_ESTIMATOR as estimator } from './heuristic-token-estimator.js';

const OVERHEAD = 4;

describe('the heuristic token estimator', () => {
  it('is near what a tokenizer gives for prose, and linear', () => {
    const sentence = 'The quick brown fox jumps over the lazy dog. ';
    expect(estimator.estimateText(sentence)).toBe(10);
    expect(estimator.estimateText(sentence.repeat(50))).toBe(500);
    expect(estimator.estimateText('')).toBe(0);
  });

  it('adds an overhead to each message', () => {
    const [text, none]: LlmMessage[] = [
      { role: 'user', content: 'hello there' },
      { role: 'assistant', content: null },
    ];
    expect(estimator.estimate(text!)).toBe(OVERHEAD + estimator.estimateText('hello there'));
    expect(estimator.estimate(none!)).toBe(OVERHEAD);
  });

  it('B82: counts ids, names and arguments of tool calls', () => {
    const json = JSON.stringify({ query: 'a long search text '.repeat(100) });
    const message: LlmMessage = {
      role: 'assistant',
      content: null,
      toolCalls: [{ id: 'call_1', name: 'search', arguments: json }],
    };
    const expected = ['call_1', 'search', json].reduce(
      (sum, text) => sum + estimator.estimateText(text),
      OVERHEAD,
    );
    expect(estimator.estimate(message)).toBe(expected);
    expect(expected).toBeGreaterThan(300);
    const result: LlmMessage = { role: 'tool', content: 'ok', toolCallId: 'call_1' };
    expect(estimator.estimate(result)).toBe(
      OVERHEAD + estimator.estimateText('ok') + estimator.estimateText('call_1'),
    );
  });

  it('counts parts instead of content, an image as 765', () => {
    const message: LlmMessage = {
      role: 'user',
      content: 'not sent',
      parts: [
        { type: 'text', text: 'what is this?' },
        { type: 'image', url: 'https://example.org/cat.png' },
      ],
    };
    expect(estimator.estimate(message)).toBe(OVERHEAD + estimator.estimateText('what is this?') + 765);
  });
});
