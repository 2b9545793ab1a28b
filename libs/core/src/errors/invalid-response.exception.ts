import type { InputIssue } from '../operators/input-schema.js';
import { issueText } from '../operators/issue-text.js';
import { AgentException } from './agent.exception.js';

/** Thrown when the final answer does not fit the agent's `responseFormat`, also after it was asked for once more. */
export class InvalidResponseException extends AgentException {
  readonly issues: readonly InputIssue[];

  constructor(agentId: string, issues: readonly InputIssue[]) {
    const list = issues.map(issueText).join('; ');
    super(
      `The answer of agent "${agentId}" does not fit its responseFormat, also after it was asked for once more: ` +
        `${list}. Loosen the schema, or say in the system prompt what the answer must hold.`,
      { code: 'invalid_response' },
    );
    this.issues = issues;
  }
}
