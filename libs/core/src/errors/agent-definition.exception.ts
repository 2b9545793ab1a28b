import { AgentException } from './agent.exception.js';

/** Thrown when an agent cannot be built or does not fit its registry. The message names the field, the value and the rule. */
export class AgentDefinitionException extends AgentException {
  readonly agentId: string;

  constructor(agentId: string, problems: readonly string[]) {
    super(
      problems.length === 1
        ? `Agent "${agentId}": ${problems[0]}`
        : `Agent "${agentId}" has ${problems.length} problems:\n${problems.map((problem) => `- ${problem}`).join('\n')}`,
      { code: 'invalid_definition' },
    );
    this.agentId = agentId;
  }
}
