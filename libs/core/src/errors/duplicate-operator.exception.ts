import { AgentException } from './agent.exception.js';

export class DuplicateOperatorException extends AgentException {
  readonly operatorName: string;

  /** @param places where the two came from, for the message. */
  constructor(operatorName: string, places?: readonly [string, string]) {
    super(
      `Operator "${operatorName}" is registered twice${places ? `: by ${places[0]} and by ${places[1]}` : ''}. ` +
        `Give one of them another name, e.g. @Operator({ name: '...' }).`,
      { code: 'duplicate_operator' },
    );
    this.operatorName = operatorName;
  }
}
