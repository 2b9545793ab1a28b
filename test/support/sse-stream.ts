import type { LlmResponse, LlmStreamChunk } from '../../libs/core/src/llm/llm.provider.js';
import { SseReader } from '../../libs/core/src/llm/openai/sse.reader.js';
import { StreamAssembler } from '../../libs/core/src/llm/openai/stream.assembler.js';

/** The events of a chat-completions stream as a server writes them, and ways to cut them into packets. */

export function sseEvent(data: unknown): string {
  return `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
}

function chatChunk(choices: readonly unknown[], more: object = {}): string {
  return sseEvent({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm', choices, ...more });
}

/** A piece of the message. */
export function deltaEvent(delta: unknown): string {
  return chatChunk([{ index: 0, delta, finish_reason: null }]);
}

export function textEvent(content: string): string {
  return deltaEvent({ content });
}

export function finishEvent(reason: string): string {
  return chatChunk([{ index: 0, delta: {}, finish_reason: reason }]);
}

export function usageEvent(usage: unknown): string {
  return chatChunk([], { usage });
}

/** The head of a tool call, with its arguments or the first piece of them. */
export function toolEvent(index: number, id: string, name: string, args: unknown): string {
  return deltaEvent({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: args } }] });
}

/** A further piece of a tool call's arguments. */
export function argumentsEvent(index: number, args: string): string {
  return deltaEvent({ tool_calls: [{ index, function: { arguments: args } }] });
}

export const DONE = 'data: [DONE]\n\n';

export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

export function bytewise(bytes: Uint8Array): Uint8Array[] {
  return Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
}

/** Cuts behind each byte of this value. */
export function cutBehind(bytes: Uint8Array, value: number): Uint8Array[] {
  const packets: Uint8Array[] = [];
  let from = 0;
  for (let at = bytes.indexOf(value); at !== -1; at = bytes.indexOf(value, from)) {
    packets.push(bytes.subarray(from, at + 1));
    from = at + 1;
  }
  return from < bytes.length ? [...packets, bytes.subarray(from)] : packets;
}

/** Cuts at these places, in any order; places outside are ignored. */
export function cutAt(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const sorted = [...new Set(places)].filter((at) => at > 0 && at < bytes.length).sort((a, b) => a - b);
  return [0, ...sorted].map((from, n) => bytes.subarray(from, sorted[n]));
}

/** The four ways every stream is sent in. */
export const DELIVERIES: readonly (readonly [string, (stream: string) => Uint8Array[]])[] = [
  ['whole', (stream) => [bytesOf(stream)]],
  ['one byte per packet', (stream) => bytewise(bytesOf(stream))],
  ['cut at each LF', (stream) => cutBehind(bytesOf(stream), 10)],
  ['with CRLF', (stream) => [bytesOf(stream.replaceAll('\n', '\r\n'))]],
];

export interface Assembled {
  readonly tokens: readonly string[];
  readonly reasoning: readonly string[];
  readonly finishes: number;
  readonly response: LlmResponse;
}

/** Reads packets to the end of the body, as a provider does. */
export function assemble(packets: readonly Uint8Array[]): Assembled {
  const chunks: LlmStreamChunk[] = [];
  const assembler = new StreamAssembler((chunk) => chunks.push(chunk));
  const reader = new SseReader((data, event) => assembler.event(data, event));
  for (const packet of packets) {
    reader.push(packet);
    if (assembler.done) break;
  }
  reader.end();
  assembler.end();
  const last = chunks.at(-1);
  if (last?.type !== 'finish') throw new Error('The stream did not end with a finish chunk.');
  return {
    tokens: chunks.flatMap((chunk) => (chunk.type === 'token' ? [chunk.text] : [])),
    reasoning: chunks.flatMap((chunk) => (chunk.type === 'reasoning' ? [chunk.text] : [])),
    finishes: chunks.filter((chunk) => chunk.type === 'finish').length,
    response: last.response,
  };
}
