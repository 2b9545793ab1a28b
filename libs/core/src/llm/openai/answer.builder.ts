import type { LlmMessage } from '../../messages/llm-message.js';
import type { LlmResponse, LlmStreamChunk } from '../llm.provider.js';
import type { LlmUsage } from '../llm-usage.js';
import { isJsonObject, textOf, type JsonObject } from './json-object.js';
import { TextCollector } from './text.collector.js';
import { ToolCallAssembler } from './tool-call.assembler.js';
import { parseUsage } from './usage.js';

/**
 * Builds one answer out of the chunks of a stream, or out of one whole completion, whose message has the fields
 * of a delta. Every field is the server's and may be of any type: what has the wrong one is passed over.
 */
export class AnswerBuilder {
  readonly #content: TextCollector;
  readonly #reasoning: TextCollector;
  readonly #toolCalls = new ToolCallAssembler();
  #contentCount = 0;
  #finishReason: string | undefined;
  #usage: LlmUsage | undefined;

  /** @param emit is called with each piece of text and of reasoning. */
  constructor(emit: (chunk: LlmStreamChunk) => void) {
    this.#content = new TextCollector((text) => emit({ type: 'token', text }));
    this.#reasoning = new TextCollector((text) => emit({ type: 'reasoning', text }));
  }

  /** How many deltas brought text, reasoning or a part of a tool call. */
  get contentCount(): number {
    return this.#contentCount;
  }

  /** The provider's own word, as soon as it has come. */
  get finishReason(): string | undefined {
    return this.#finishReason;
  }

  take(chunk: JsonObject): void {
    this.#takeUsage(chunk.usage);
    if (!Array.isArray(chunk.choices)) return;
    for (const choice of chunk.choices) {
      if (isJsonObject(choice) && (choice.index === 0 || typeof choice.index !== 'number')) {
        this.#takeChoice(choice);
      }
    }
  }

  /**
   * The answer; undefined if it cannot be told to be whole.
   *
   * @param infersReason whether the server said that this is all, so that a missing finish reason may be told
   * from the message: `tool_calls` if every call's arguments are whole, `stop` if there is text.
   */
  finish(infersReason: boolean): LlmResponse | undefined {
    const message = this.#message();
    const finishReason = this.#finishReason ?? (infersReason ? inferReason(message) : undefined);
    if (finishReason === undefined) return undefined;
    return Object.freeze({ message, finishReason, ...(this.#usage && { usage: this.#usage }) });
  }

  #takeChoice(choice: JsonObject): void {
    if (isJsonObject(choice.delta)) this.#add(choice.delta);
    // Some servers send the whole message in place of the deltas; behind deltas it would be the same once more.
    if (this.#contentCount === 0 && isJsonObject(choice.message)) this.#add(choice.message);
    const reason = textOf(choice.finish_reason);
    if (reason !== '') this.#finishReason = reason;
    this.#takeUsage(choice.usage);
  }

  /** Counts are totals so far, never increments: the last ones stand. */
  #takeUsage(usage: unknown): void {
    if (usage !== undefined && usage !== null) this.#usage = parseUsage(usage) ?? this.#usage;
  }

  #add(delta: JsonObject): void {
    // Servers that send both names send the same text under both.
    const reasoning = textOf(delta.reasoning_content) || textOf(delta.reasoning);
    if (reasoning !== '') this.#reasoning.add(reasoning);
    const content = contentText(delta.content) + textOf(delta.refusal);
    if (content !== '') this.#content.add(content);
    if (this.#addCalls(delta) || content !== '' || reasoning !== '') this.#contentCount++;
  }

  #addCalls(delta: JsonObject): boolean {
    let added = false;
    if (Array.isArray(delta.tool_calls) && delta.tool_calls.length > 0) {
      for (const entry of delta.tool_calls) added = this.#toolCalls.add(entry) || added;
    } else if (isJsonObject(delta.function_call)) {
      added = this.#toolCalls.add({ function: delta.function_call });
    }
    return added;
  }

  #message(): LlmMessage {
    const reasoning = this.#reasoning.finish();
    const content = this.#content.finish();
    const toolCalls = this.#toolCalls.finish();
    const hasCalls = toolCalls.length > 0;
    return Object.freeze({
      role: 'assistant',
      // Providers want null beside tool calls and refuse it anywhere else.
      content: content === '' && hasCalls ? null : content,
      ...(hasCalls && { toolCalls }),
      ...(reasoning !== '' && { reasoning }),
    });
  }
}

function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  let text = '';
  for (const part of content) if (isJsonObject(part) && part.type === 'text') text += textOf(part.text);
  return text;
}

function inferReason({ content, toolCalls }: LlmMessage): string | undefined {
  if (toolCalls) return toolCalls.every((call) => isWhole(call.arguments)) ? 'tool_calls' : undefined;
  return content === '' ? undefined : 'stop';
}

function isWhole(text: string): boolean {
  if (text.trim() === '') return true;
  try {
    return isJsonObject(JSON.parse(text));
  } catch {
    return false;
  }
}
