import { AgentException } from './agent.exception.js';

/** Thrown when an agent has used all its turns and still asks for tools. Resume from `checkpoint` with a larger `maxTurns` to go on. */
export class MaxTurnsExceededException extends AgentException {
  readonly maxTurns: number;

  constructor(agentId: string, maxTurns: number) {
    super(
      `Agent "${agentId}" used its ${maxTurns} turns without a final answer. ` +
        `Raise maxTurns, resume from the checkpoint with a larger one, or set onMaxTurns: 'finalize'.`,
      { code: 'max_turns' },
    );
    this.maxTurns = maxTurns;
  }
}
