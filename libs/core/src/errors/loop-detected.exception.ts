import { AgentException } from './agent.exception.js';

/** Thrown when the model repeats a call that it was already told to stop repeating. */
export class LoopDetectedException extends AgentException {
  constructor(agentId: string, toolName: string, calls: number) {
    super(
      `Agent "${agentId}" called "${toolName}" ${calls} times in a row with the same arguments and the same result, ` +
        `also after it was told so. Raise repeatedCallLimit (0 switches the guard off) if such calls are meant.`,
      { code: 'loop_detected' },
    );
  }
}
