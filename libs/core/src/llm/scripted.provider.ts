import { AgentException } from '../errors/agent.exception.js';
import type { LlmMessage } from '../messages/llm-message.js';
import type { LlmProvider, LlmRequest, LlmResponse, LlmStreamChunk } from './llm.provider.js';
import type { LlmUsage } from './llm-usage.js';
import { onAbort } from '../cancellation/on-abort.js';

/** One scripted answer. */
export interface ScriptedStep {
  /** The text of the answer. Default: the tokens joined. */
  readonly text?: string | undefined;
  readonly toolCalls?: readonly ScriptedToolCall[] | undefined;
  /** Default: `tool_calls` if there are calls, else `stop`. */
  readonly finishReason?: string | undefined;
  readonly usage?: LlmUsage | undefined;
  /** Thrown instead of an answer; in a stream after the step's tokens. */
  readonly error?: unknown;
  /** The pieces of a streamed answer. Default: the words of `text`. */
  readonly tokens?: readonly string[] | undefined;
  /** Wait before the answer in ms; an abort ends it. Default 0. */
  readonly delayMs?: number | undefined;
}

export interface ScriptedToolCall {
  readonly name: string;
  /** An object is sent as its JSON, a string as it is. */
  readonly arguments: object | string;
  /** Default `call_<number of the call to the model>_<index>`. */
  readonly id?: string | undefined;
}

/** Gives the step for a request; `callNumber` is 1-based. */
export type Script = (request: LlmRequest, callNumber: number) => ScriptedStep | Promise<ScriptedStep>;

/** Answers from a script, for tests and demos. Never a default: it says what it is. */
export class ScriptedProvider implements LlmProvider {
  readonly description = 'scripted (answers are not from a model)';
  /** Every request so far, with its messages as they were. */
  readonly requests: LlmRequest[] = [];
  readonly #script: Script;

  /** @param script the answers in order, or a function that gives them. */
  constructor(script: readonly ScriptedStep[] | Script) {
    this.#script = typeof script === 'function' ? script : (_, callNumber) => stepOf(script, callNumber);
  }

  /** @throws the step's error, the signal's reason, or AgentException (`script_exhausted`) after the last step. */
  async chat(request: LlmRequest): Promise<LlmResponse> {
    const { step, callNumber } = await this.#next(request);
    throwIfFailed(step);
    return responseOf(step, callNumber);
  }

  /** Each iteration takes a step of its own. @throws as `chat`. */
  async *streamChat(request: LlmRequest): AsyncGenerator<LlmStreamChunk, void, undefined> {
    const { step, callNumber } = await this.#next(request);
    for (const text of step.tokens ?? textOf(step).match(/\S+\s*|\s+/g) ?? []) {
      request.signal?.throwIfAborted();
      yield { type: 'token', text };
    }
    throwIfFailed(step);
    yield { type: 'finish', response: responseOf(step, callNumber) };
  }

  async #next(request: LlmRequest): Promise<{ readonly step: ScriptedStep; readonly callNumber: number }> {
    request.signal?.throwIfAborted();
    const callNumber = this.requests.push({ ...request, messages: [...request.messages] });
    const step = await this.#script(request, callNumber);
    request.signal?.throwIfAborted();
    if (step.delayMs) await delay(step.delayMs, request.signal);
    return { step, callNumber };
  }
}

function stepOf(steps: readonly ScriptedStep[], callNumber: number): ScriptedStep {
  const step = steps[callNumber - 1];
  if (step) return step;
  throw new AgentException(
    `The script has ${steps.length} ${steps.length === 1 ? 'step' : 'steps'}, but the model was called ` +
      `${callNumber} times. Add a step for this call, or give a function.`,
    { code: 'script_exhausted' },
  );
}

function throwIfFailed({ error }: ScriptedStep): void {
  // A script may throw anything, as a foreign provider may.
  // oxlint-disable-next-line typescript/only-throw-error
  if (error !== undefined) throw error;
}

function responseOf(step: ScriptedStep, callNumber: number): LlmResponse {
  const { toolCalls = [], usage } = step;
  const text = textOf(step);
  const message: LlmMessage = {
    role: 'assistant',
    content: text === '' && toolCalls.length > 0 ? null : text,
    ...(toolCalls.length > 0 && {
      toolCalls: toolCalls.map(({ name, id, arguments: given }, index) => ({
        id: id ?? `call_${callNumber}_${index}`,
        name,
        arguments: typeof given === 'string' ? given : JSON.stringify(given),
      })),
    }),
  };
  const finishReason = step.finishReason ?? (toolCalls.length > 0 ? 'tool_calls' : 'stop');
  return { message, finishReason, ...(usage && { usage }) };
}

function textOf({ text, tokens = [] }: ScriptedStep): string {
  return text ?? tokens.join('');
}

function delay(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      unsubscribe();
      resolve();
    }, ms);
    const unsubscribe = onAbort(signal, () => {
      clearTimeout(timer);
      // The reason of an abort is whatever the caller gave: it is passed on as it is.
      // oxlint-disable-next-line typescript/prefer-promise-reject-errors
      reject(signal?.reason);
    });
  });
}
