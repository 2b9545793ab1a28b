import type { LinkedAgent } from '../definition/linked-agent.js';
import { HEURISTIC_TOKEN_ESTIMATOR } from '../memory/heuristic-token-estimator.js';
import type { TokenEstimator } from '../memory/token-estimator.js';

const countsByAgent = new WeakMap<LinkedAgent, number>();

/** Tokens that every request of an agent needs beside its messages: tool definitions and answer format. Counted once, and only for a token budget. */
export function reservedTokens(agent: LinkedAgent, estimator: TokenEstimator | undefined): number {
  if (agent.def.memoryStrategy.kind !== 'token_budget') return 0;
  let count = countsByAgent.get(agent);
  if (count === undefined) {
    const text = JSON.stringify([agent.definitions, agent.def.responseFormat?.jsonSchema]);
    count = (estimator ?? HEURISTIC_TOKEN_ESTIMATOR).estimateText(text);
    countsByAgent.set(agent, count);
  }
  return count;
}
