import { AgentException } from './agent.exception.js';

/** Thrown when a session has changed since it was read; nothing was written. */
export class SessionConflictException extends AgentException {
  readonly sessionId: string;

  constructor(sessionId: string, detail: string) {
    super(`Session "${sessionId}" has changed meanwhile: ${detail}. Load it again and repeat.`, {
      code: 'session_conflict',
    });
    this.sessionId = sessionId;
  }
}
