import type { LlmMessage } from '../messages/llm-message.js';
import type { ToolCall } from '../messages/tool-call.js';
import { sanitizeToolName } from '../messages/tool-name.js';
import { parseToolArguments, type ParsedArguments } from '../operators/tool-arguments.js';
import type { AgentRun } from './agent-run.js';

/** A call of the model, read once. */
export interface PreparedCall {
  /** With an id that is unique in the run; name and arguments as the model sent them. */
  readonly call: ToolCall;
  /** 0-based place among the calls of its turn. */
  readonly ordinal: number;
  readonly arguments: ParsedArguments;
  readonly idempotencyKey: string;
  /** True if a person has approved it: nobody is asked again. */
  readonly approved?: true;
}

export interface PreparedAnswer {
  /** The message to keep: every call in it has a unique id, a name and arguments that every provider takes back. */
  readonly message: LlmMessage;
  readonly calls: readonly PreparedCall[];
}

/** Reads the calls of an answer. The message is kept as it is if there is nothing to mend. */
export function prepareAnswer(run: AgentRun, answer: LlmMessage): PreparedAnswer {
  const calls = (answer.toolCalls ?? []).map((call, ordinal): PreparedCall => {
    const id = run.uniqueCallId(call.id);
    return {
      call: id === call.id ? call : Object.freeze({ ...call, id }),
      ordinal,
      arguments: parseToolArguments(call.arguments),
      idempotencyKey: `${run.runId}:${run.turn}:${ordinal}`,
    };
  });
  if (calls.length === 0) return { message: answer, calls };
  const kept = calls.map(storableCall);
  const unchanged = kept.every((call, index) => call === answer.toolCalls?.[index]);
  return {
    message: unchanged ? answer : Object.freeze({ ...answer, toolCalls: Object.freeze(kept) }),
    calls,
  };
}

function storableCall({ call, arguments: parsed }: PreparedCall): ToolCall {
  const name = sanitizeToolName(call.name);
  const json = storableArguments(call.arguments, parsed);
  return name === call.name && json === call.arguments
    ? call
    : Object.freeze({ id: call.id, name, arguments: json });
}

function storableArguments(sent: string, parsed: ParsedArguments): string {
  if (!parsed.ok) return '{}';
  return sent.trimStart().startsWith('{') ? sent : JSON.stringify(parsed.value);
}
