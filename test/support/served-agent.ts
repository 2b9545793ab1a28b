import type { ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import {
  AgentBuilder,
  AgentLoopOperator,
  LlmChatOperator,
  LlmStreamingChatOperator,
  OpenAiProvider,
  OperatorContext,
  OperatorRegistry,
  StreamingAgentLoopOperator,
  type AgentOutput,
  type LoopServices,
  type OpenAiProviderOptions,
  type Operator,
  type RunOptions,
} from '@nestor/core';
import { LoopbackServer, openEventStream, sendJson } from './loopback-server.js';
import { collectChunks, type ToolFunction } from './scripted-agent.js';
import { DONE, finishEvent, textEvent, toolEvent, usageEvent } from './sse-stream.js';

/** A chat-completions request as the server reads it. */
export interface ChatBody {
  readonly stream?: boolean;
  readonly messages: readonly {
    readonly role: string;
    readonly content: string | null;
    readonly tool_call_id?: string;
    readonly tool_calls?: readonly {
      readonly id: string;
      readonly function: { readonly name: string; readonly arguments: string };
    }[];
  }[];
  readonly tools?: readonly any[];
}

export interface ServedCall {
  readonly id: string;
  readonly name: string;
  /** The text as it goes over the wire. */
  readonly arguments: string;
}

/** What the model says. */
export interface ServedAnswer {
  readonly text?: string;
  readonly calls?: readonly ServedCall[];
  /** Default: `tool_calls` if there are calls, else `stop`. */
  readonly reason?: string;
}

const USAGE = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };

/** An answer as the events of a stream, `[DONE]` included. */
export function answerEvents({ text, calls = [], reason = reasonFor(calls) }: ServedAnswer): string {
  return [
    text === undefined ? '' : textEvent(text),
    ...calls.map((call, index) => toolEvent(index, call.id, call.name, call.arguments)),
    finishEvent(reason),
    usageEvent(USAGE),
    DONE,
  ].join('');
}

/** The same answer as one JSON object. */
export function answerJson({ text, calls = [], reason = reasonFor(calls) }: ServedAnswer): object {
  const toolCalls = calls.map(({ id, name, arguments: args }) => ({
    id,
    type: 'function',
    function: { name, arguments: args },
  }));
  const message = {
    role: 'assistant',
    content: text ?? null,
    ...(toolCalls.length > 0 && { tool_calls: toolCalls }),
  };
  return {
    id: 'x',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message, finish_reason: reason }],
    usage: USAGE,
  };
}

function reasonFor(calls: readonly ServedCall[]): string {
  return calls.length > 0 ? 'tool_calls' : 'stop';
}

/** Answers in the form that was asked for. */
export function sendAnswer(response: ServerResponse, body: ChatBody, answer: ServedAnswer): void {
  if (body.stream) openEventStream(response).end(answerEvents(answer));
  else sendJson(response, answerJson(answer));
}

export interface ServedAgentOptions {
  /** Answers a request; `number` is 1-based. What it gives is sent, `undefined` if it has answered by itself. */
  readonly serve: (body: ChatBody, number: number, response: ServerResponse) => ServedAnswer | undefined;
  readonly tools?: Readonly<Record<string, ToolFunction | Operator<never>>>;
  readonly define?: (builder: AgentBuilder) => AgentBuilder;
  readonly provider?: OpenAiProviderOptions;
  readonly services?: Partial<LoopServices>;
}

/** An agent whose model is behind a real server, for the length of a test. */
export interface ServedAgent {
  readonly server: LoopbackServer;
  readonly provider: OpenAiProvider;
  readonly registry: OperatorRegistry;
  readonly agent: AgentLoopOperator;
  readonly streaming: StreamingAgentLoopOperator;
  /** The bodies of all requests so far, parsed. */
  bodies(): readonly ChatBody[];
}

export async function servedAgent(options: ServedAgentOptions): Promise<ServedAgent> {
  const server = await LoopbackServer.start((response, { body }, number) => {
    const parsed = JSON.parse(body) as ChatBody;
    const answer = options.serve(parsed, number, response);
    if (answer) sendAnswer(response, parsed, answer);
  });
  const provider = new OpenAiProvider({
    baseUrl: server.url,
    retry: { baseDelayMs: 0, maxDelayMs: 0 },
    ...options.provider,
  });
  onTestFinished(async () => {
    await server.stop();
    await provider.close();
  });
  const registry = new OperatorRegistry()
    .register('llmChat', new LlmChatOperator(provider))
    .register('llmStreamingChat', new LlmStreamingChatOperator(provider));
  for (const [name, tool] of Object.entries(options.tools ?? {})) {
    registry.register(name, typeof tool === 'function' ? { execute: tool } : tool);
  }
  const builder = AgentBuilder.create('agent').model('m').tools('all');
  const def = (options.define?.(builder) ?? builder).build();
  return {
    server,
    provider,
    registry,
    agent: new AgentLoopOperator('agent', def, registry, options.services),
    streaming: new StreamingAgentLoopOperator('agent', def, registry, options.services),
    bodies: () => server.requests.map(({ body }) => JSON.parse(body) as ChatBody),
  };
}

/** Runs the agent one way or the other; the output is the same. */
export type RunAgent = (
  served: ServedAgent,
  input: unknown,
  context?: OperatorContext,
  options?: RunOptions,
) => Promise<AgentOutput>;

export const WAYS_TO_RUN: readonly (readonly [string, RunAgent])[] = [
  [
    'not streamed',
    ({ agent }, input, context = OperatorContext.root(), options) => agent.execute(input, context, options),
  ],
  [
    'streamed',
    async ({ streaming }, input, context, options) => {
      const last = (await collectChunks(streaming, input, context, options)).at(-1);
      if (last?.type !== 'done') throw new Error('The stream did not end with done.');
      return last.finalOutput;
    },
  ],
];

/** What a provider would refuse in a request: one line per fault. */
export function requestFaults({ messages }: ChatBody): string[] {
  const faults: string[] = [];
  let open: string[] = [];
  for (const { role, content, tool_calls: calls, tool_call_id: id } of messages) {
    if (role === 'tool' ? open.shift() !== id : open.length > 0) faults.push(`${role} out of place`);
    if (role !== 'tool') open = calls?.map((call) => call.id) ?? [];
    if (content === null ? open.length === 0 : content === '') faults.push(`${role} without content`);
    for (const { function: called } of calls ?? []) {
      if (!/^[a-zA-Z0-9_-]{1,64}$/.test(called.name)) faults.push(`the name ${called.name}`);
      if (!isJsonObject(called.arguments)) faults.push(`the arguments ${called.arguments}`);
    }
  }
  if (messages.find(({ role }) => role !== 'system')?.role === 'tool') faults.push('begins with a result');
  return [...faults, ...open.map((id) => `${id} has no result`)];
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** Every string anywhere in a value, keys included. */
export function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => [key, ...stringsIn(part)]);
}
