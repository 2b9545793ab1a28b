import { AgentException } from './agent.exception.js';
import { didYouMean } from './did-you-mean.js';

/** Thrown when something names an operator that is not in the registry. */
export class UnknownOperatorException extends AgentException {
  readonly operatorName: string;
  readonly known: readonly string[];

  constructor(operatorName: string, known: readonly string[], usedBy?: string) {
    super(
      `Unknown operator "${operatorName}"${usedBy ? ` (used by ${usedBy})` : ''}: it is not registered. ` +
        `Known operators: ${known.join(', ') || 'none'}.${didYouMean(operatorName, known)}`,
      { code: 'unknown_operator' },
    );
    this.operatorName = operatorName;
    this.known = known;
  }
}
