import { expect } from 'vitest';
import type { LlmMessage } from '@nestor/core';
import type { RecordedCallback } from './scripted-agent.js';

/** What a run fails with. */
export function rejection(run: Promise<unknown>): Promise<any> {
  return run.then(
    () => expect.unreachable('the run should have failed'),
    (error: unknown) => error,
  );
}

/** The exit reasons that a listener heard. */
export function exits(heard: readonly RecordedCallback[]): unknown[] {
  return heard.filter(({ name }) => name === 'onAgentLoopExited').map(({ payload }) => payload.exitReason);
}

/** What breaks the rule that each call has exactly one result, right behind its message, in call order. */
export function pairingFaults(messages: readonly LlmMessage[]): string[] {
  const faults: string[] = [];
  let open: string[] = [];
  for (const { role, toolCallId, toolCalls } of messages) {
    if (role === 'tool' ? open.shift() !== toolCallId : open.length > 0) faults.push(`${role} out of place`);
    if (role !== 'tool') open = toolCalls?.map(({ id }) => id) ?? [];
  }
  return [...faults, ...open.map((id) => `${id} has no result`)];
}
