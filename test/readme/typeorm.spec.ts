import { ScriptedProvider } from '@nestor/core';
import { expect, it } from 'vitest';
import { askAndTell } from './typeorm.example.js';

it('typeorm: a session and a journal in a database', async () => {
  const { events, stored } = await askAndTell(
    'sqlite::memory:',
    new ScriptedProvider([{ text: 'Unlocked.' }]),
  );
  expect(events.map(({ type }) => type)).toEqual([
    'AGENT_TURN_STARTED',
    'AGENT_LLM_CALLED',
    'AGENT_LOOP_EXITED',
  ]);
  expect(stored).toBe(2);
});
