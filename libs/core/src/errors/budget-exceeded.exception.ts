import { AgentException } from './agent.exception.js';

/** Thrown when a run has used more tokens than `maxTotalTokens` and is not finished. */
export class BudgetExceededException extends AgentException {
  constructor(agentId: string, usedTokens: number, maxTotalTokens: number) {
    super(
      `Agent "${agentId}" used ${usedTokens} tokens of its budget of ${maxTotalTokens}. ` +
        `Raise maxTotalTokens, or resume from the checkpoint.`,
      { code: 'budget' },
    );
  }
}
