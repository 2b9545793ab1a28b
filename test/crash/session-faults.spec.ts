import type { LlmMessage, RunHistory } from '@nestor/core';
import { expect, it } from 'vitest';
import { questionOf } from './crash-agent.js';
import { sessionFaults } from './session-faults.js';

const answer = (runId: string): LlmMessage => ({ role: 'assistant', content: `done ${runId}` });
const history = (runId: string): RunHistory => ({
  run: { runId, agentId: 'agent', sessionId: 's', input: [questionOf(runId)] },
  answers: [{ turn: 1, response: { message: answer(runId), finishReason: 'stop' }, calls: [] }],
  calls: new Map(),
});
const faultsIn = (...messages: LlmMessage[]): Promise<string[]> =>
  sessionFaults({ load: () => ({ messages, version: 1 }) }, 's', [history('a'), history('b')]);

it('a transcript has each run once and whole', async () => {
  const [a, b] = ['a', 'b'].map((runId) => [questionOf(runId), answer(runId)]);
  expect(await faultsIn(...b!, ...a!)).toEqual([]);
  expect(await faultsIn(...a!)).toEqual(['session s: b is there 0 times', 'session s: 1 parts of 2 runs']);
  expect(await faultsIn(...a!, ...b!, ...a!)).toEqual([
    'session s: a is there 2 times',
    'session s: 3 parts of 2 runs',
  ]);
  expect(await faultsIn(...a!, questionOf('b'), answer('a'))).toEqual([
    'session s: b is not what was recorded',
  ]);
});
