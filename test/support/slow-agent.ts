import type { OperatorContext, RunStore } from '@nestor/core';
import { calls, scriptedAgent } from './scripted-agent.js';

/** An agent whose only tool goes on until it is told to stop. @param started is called with the tool */
export function slowAgent(runs: RunStore, started: () => void) {
  return scriptedAgent({
    script: ({ messages }) => (messages.length > 1 ? { text: 'done' } : calls(['slow'])),
    tools: {
      slow: (_: never, { signal }: OperatorContext) =>
        new Promise((resolve) => {
          started();
          signal.addEventListener('abort', () => resolve('as far as it came'));
        }),
    },
    services: { runs },
  }).agent;
}
