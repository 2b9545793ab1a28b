import { AgentException } from './agent.exception.js';

/** Thrown when another run of the session is under way and the caller asked not to wait. */
export class SessionBusyException extends AgentException {
  readonly sessionId: string;

  constructor(sessionId: string) {
    super(`Session "${sessionId}" has a run under way. Wait for it, or use whenBusy: 'wait'.`, {
      code: 'session_busy',
    });
    this.sessionId = sessionId;
  }
}
