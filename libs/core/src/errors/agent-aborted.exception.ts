import { AgentException } from './agent.exception.js';

/** Thrown when a run was cancelled: by its signal, by id, by shutdown, or because nobody reads its stream. `cause` is the reason given. */
export class AgentAbortedException extends AgentException {
  constructor(agentId: string, reason: unknown) {
    super(`The run of agent "${agentId}" was aborted${reasonText(reason)}.`, {
      code: 'aborted',
      cause: reason,
    });
  }
}

function reasonText(reason: unknown): string {
  if (typeof reason === 'string') return `: ${reason}`;
  return reason instanceof Error && reason.message ? `: ${reason.message.replace(/\.$/, '')}` : '';
}
