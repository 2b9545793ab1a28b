import { AgentException } from '../errors/agent.exception.js';
import { ToolException } from '../errors/tool.exception.js';
import { toJsonSafe } from '../operators/json-safe.js';
import { resultText } from '../operators/result-text.js';
import { thrownMessage, toolErrorText, type ToolErrorCode } from '../operators/tool-error.js';

/** How a tool call ended. */
export interface ToolOutcome {
  readonly success: boolean;
  /** The tool message's text. */
  readonly text: string;
  /** JSON-safe: the tool's result, or `{ error: { code, message } }`. */
  readonly result: unknown;
  /** Set if the run must stop. */
  readonly fatal?: AgentException;
}

export function succeeded(value: unknown, limit: number): ToolOutcome {
  return { success: true, text: resultText(value, limit), result: toJsonSafe(value) };
}

export function failed(code: ToolErrorCode, message: string): ToolOutcome {
  return { success: false, text: toolErrorText(code, message), result: { error: { code, message } } };
}

/** What a thrown value means: an `AgentException` stops the run, everything else is told to the model. */
export function outcomeOfError(thrown: unknown): ToolOutcome {
  if (thrown instanceof AgentException) return { ...failed('failed', thrownMessage(thrown)), fatal: thrown };
  return failed(thrown instanceof ToolException ? thrown.code : 'failed', thrownMessage(thrown));
}
