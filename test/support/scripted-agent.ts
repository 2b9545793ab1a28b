import {
  AgentBuilder,
  AgentLoopOperator,
  LlmChatOperator,
  LlmStreamingChatOperator,
  NodeChannel,
  OperatorContext,
  OperatorRegistry,
  ScriptedProvider,
  StreamingAgentLoopOperator,
  type AgentCallbackContext,
  type AgentExecutionListener,
  type AgentStreamChunk,
  type LoopServices,
  type Operator,
  type OperatorMetadata,
  type RunOptions,
  type Script,
  type ScriptedStep,
} from '@nestor/core';

export type ToolFunction = (input: never, context: OperatorContext) => unknown;

export interface ScriptedAgentOptions {
  readonly script: readonly ScriptedStep[] | Script;
  /** A function, or an operator with metadata. */
  readonly tools?: Readonly<Record<string, ToolFunction | Operator<never>>>;
  readonly metadata?: Readonly<Record<string, Partial<OperatorMetadata>>>;
  readonly define?: (builder: AgentBuilder) => AgentBuilder;
  readonly services?: Partial<LoopServices>;
}

/** An agent whose model is a script, with functions as tools; not streamed and streamed. */
export function scriptedAgent({
  script,
  tools = {},
  metadata = {},
  define,
  services,
}: ScriptedAgentOptions): {
  readonly provider: ScriptedProvider;
  readonly registry: OperatorRegistry;
  readonly agent: AgentLoopOperator;
  readonly streaming: StreamingAgentLoopOperator;
} {
  const provider = new ScriptedProvider(script);
  const registry = new OperatorRegistry()
    .register('llmChat', new LlmChatOperator(provider), { kind: 'model' })
    .register('llmStreamingChat', new LlmStreamingChatOperator(provider), { kind: 'model' });
  for (const [name, tool] of Object.entries(tools)) {
    registry.register(name, typeof tool === 'function' ? { execute: tool } : tool, metadata[name] ?? {});
  }
  const builder = AgentBuilder.create('agent').model('m').tools('all');
  const def = (define?.(builder) ?? builder).build();
  return {
    provider,
    registry,
    agent: new AgentLoopOperator('agent', def, registry, services),
    streaming: new StreamingAgentLoopOperator('agent', def, registry, services),
  };
}

/** Streams a run and gives its chunks; throws what the iteration throws. */
export async function collectChunks(
  streaming: StreamingAgentLoopOperator,
  input: unknown,
  context: OperatorContext = OperatorContext.root(),
  options?: RunOptions,
): Promise<AgentStreamChunk[]> {
  const channel = new NodeChannel<AgentStreamChunk>();
  const running = streaming.execute(input, channel, context, options).then(
    () => channel.close(),
    (error: unknown) => channel.fail(error),
  );
  const chunks: AgentStreamChunk[] = [];
  for await (const chunk of channel) chunks.push(chunk);
  await running;
  return chunks;
}

export interface RecordedCallback {
  readonly name: keyof AgentExecutionListener;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly context: AgentCallbackContext;
}

/** A listener that keeps what it hears. */
export function recordingListener(): AgentExecutionListener & { readonly heard: RecordedCallback[] } {
  const heard: RecordedCallback[] = [];
  const record =
    (name: keyof AgentExecutionListener) =>
    (payload: object, context: AgentCallbackContext): void => {
      heard.push({ name, payload: { ...payload }, context });
    };
  return {
    heard,
    onAgentTurnStarted: record('onAgentTurnStarted'),
    onAgentLlmCalled: record('onAgentLlmCalled'),
    onAgentToolDispatched: record('onAgentToolDispatched'),
    onAgentToolCompleted: record('onAgentToolCompleted'),
    onAgentLoopExited: record('onAgentLoopExited'),
  };
}

/** A promise to be settled from outside. */
export function deferred<T = void>(): {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
} {
  let resolve: (value: T) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}

/** A scripted answer that calls tools. */
export function calls(
  ...toolCalls: readonly (readonly [name: string, args?: object | string, id?: string])[]
): ScriptedStep {
  return {
    toolCalls: toolCalls.map(([name, args = {}, id]) => ({
      name,
      arguments: args,
      ...(id !== undefined && { id }),
    })),
  };
}
