import { expect, it } from 'vitest';
import { providerProfile } from './provider-profile.js';

it('knows the hosts that differ, and lets the user overrule it', () => {
  expect(providerProfile('api.openai.com').maxTokensField).toBe('max_completion_tokens');
  expect(providerProfile('localhost')).toMatchObject({
    maxTokensField: 'max_tokens',
    reasoningContent: false,
  });
  expect(providerProfile('api.deepseek.com').reasoningContent).toBe(true);
  expect(providerProfile('notdeepseek.com').reasoningContent).toBe(false);
  expect(providerProfile('localhost', { streamUsage: false }).streamUsage).toBe(false);
});
