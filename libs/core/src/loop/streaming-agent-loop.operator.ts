import type { NodeChannel } from '../channel/node.channel.js';
import type { AgentCheckpoint } from '../definition/agent-checkpoint.js';
import type { AgentDef } from '../definition/agent-def.js';
import { linkAgent, type LinkedAgent } from '../definition/linked-agent.js';
import type { OperatorContext } from '../operators/operator.context.js';
import type { StreamingOperator } from '../operators/operator.js';
import type { OperatorRegistry } from '../operators/operator.registry.js';
import type { AgentStreamChunk } from './agent-stream-chunk.js';
import { loopServices, type LoopServices } from './loop-services.js';
import { onAbort } from '../cancellation/on-abort.js';
import { runAgent } from './run-agent.js';
import type { RunOptions } from './run-request.js';

/** Runs an agent and sends what happens as chunks, `done` last. The same loop as `AgentLoopOperator`. */
export class StreamingAgentLoopOperator implements StreamingOperator<unknown, AgentStreamChunk> {
  readonly streaming = true;
  readonly metadata = { kind: 'agent' } as const;
  readonly ref: string;
  readonly def: AgentDef;
  readonly #agent: LinkedAgent;
  readonly #services: LoopServices;

  /** @throws AgentDefinitionException if a tool's operator is not in the registry. */
  constructor(ref: string, def: AgentDef, registry: OperatorRegistry, services?: Partial<LoopServices>) {
    this.ref = ref;
    this.def = def;
    this.#agent = linkAgent(def, registry);
    this.#services = loopServices(services);
  }

  /**
   * Streams the answer to an input. A consumer that stops reading the channel aborts the run. Resolves when `done`
   * is sent; it does not close the channel.
   * @throws AgentException as `AgentLoopOperator.execute`; no `done` is sent then.
   */
  async execute(
    input: unknown,
    channel: NodeChannel<AgentStreamChunk>,
    context: OperatorContext,
    options?: RunOptions & { readonly checkpoint?: AgentCheckpoint | undefined },
  ): Promise<void> {
    const stop = new AbortController();
    const disposers = [channel.signal, context.signal].map((signal) =>
      onAbort(signal, () => stop.abort(signal.reason)),
    );
    try {
      const request = { ...options, ref: this.ref, input, context: context.child({}, () => stop.signal) };
      const sink = (chunk: AgentStreamChunk): Promise<void> | undefined => channel.send(chunk);
      const finalOutput = await runAgent(this.#agent, { ...request, sink }, this.#services);
      // It is in the buffer now, and delivered whatever happens: there is nothing to wait for.
      void channel.send({ type: 'done', finalOutput });
    } finally {
      for (const dispose of disposers) dispose();
    }
  }
}
