import type { ExpressionScope } from '../language/evaluation/evaluation.js';
import type { LlmMessage } from '../messages/llm-message.js';
import type { ToolCall } from '../messages/tool-call.js';
import { parseToolArguments, type ParsedArguments } from '../operators/tool-arguments.js';
import type { AgentRun } from './agent-run.js';
import type { PreparedCall } from './prepared-call.js';
import { resultsByTool } from './results-by-tool.js';

/** What an `exit_condition` sees. */
export function exitVariables(run: AgentRun, calls: readonly PreparedCall[]): ExpressionScope {
  return {
    variables: new ExitVariables(run, calls),
    functions: { tool_call: (name) => calls.some(({ call }) => call.name === name) },
  };
}

/** What costs something is made when the expression reads it. A class, as an object of getters is slow to make. */
class ExitVariables {
  readonly [name: string]: unknown;
  readonly #run: AgentRun;
  readonly #calls: readonly PreparedCall[];

  constructor(run: AgentRun, calls: readonly PreparedCall[]) {
    this.#run = run;
    this.#calls = calls;
  }

  get finish_reason(): unknown {
    return this.#run.answer?.finishReason ?? '';
  }

  get content(): unknown {
    return this.#run.answer?.message.content ?? '';
  }

  get turn(): unknown {
    return this.#run.turn;
  }

  get tool_calls(): unknown {
    return this.#calls.map((prepared) => callRecord(prepared.call, prepared.arguments));
  }

  get tool_results(): unknown {
    return resultsByTool(this.#run, this.#calls);
  }

  get messages(): unknown {
    return this.#run.memory.messages().map(messageRecord);
  }
}

/** The arguments as an object; as the text that the model sent, if that is no object. */
function callRecord(
  { id, name, arguments: sent }: ToolCall,
  parsed: ParsedArguments = parseToolArguments(sent),
): Readonly<Record<string, unknown>> {
  return { id, name, arguments: parsed.ok ? parsed.value : sent };
}

// Messages never change, so what is made of one is kept for the turns to come.
const records = new WeakMap<LlmMessage, Readonly<Record<string, unknown>>>();

function messageRecord(message: LlmMessage): Readonly<Record<string, unknown>> {
  let record = records.get(message);
  if (!record) {
    const { role, content, toolCalls, toolCallId } = message;
    record = {
      role,
      content,
      ...(toolCalls && { tool_calls: toolCalls.map((call) => callRecord(call)) }),
      ...(toolCallId !== undefined && { tool_call_id: toolCallId }),
    };
    records.set(message, record);
  }
  return record;
}
