import { onAbort } from '../cancellation/on-abort.js';
import type { NodeChannel } from '../channel/node.channel.js';
import type { AgentCheckpoint } from '../definition/agent-checkpoint.js';
import type { OperatorContext } from '../operators/operator.context.js';
import type { StreamingOperator } from '../operators/operator.js';
import type { AgentStreamChunk } from './agent-stream-chunk.js';
import { LinkedAgentOperator } from './linked-agent.operator.js';
import type { RunOptions } from './run-request.js';

export interface StreamOptions extends RunOptions {
  readonly checkpoint?: AgentCheckpoint | undefined;
  /** True: the run goes on when nobody reads its chunks any more. Default false. */
  readonly detached?: boolean | undefined;
}

/** Runs an agent and sends what happens as chunks, `done` last. The same loop as `AgentLoopOperator`. */
export class StreamingAgentLoopOperator
  extends LinkedAgentOperator
  implements StreamingOperator<unknown, AgentStreamChunk>
{
  readonly streaming = true;

  /**
   * Streams the answer to an input. A consumer that stops reading the channel aborts the run, unless it is `detached`.
   * Resolves when `done` is sent; it does not close the channel.
   * @throws AgentException as `AgentLoopOperator.execute`; no `done` is sent then.
   */
  async execute(
    input: unknown,
    channel: NodeChannel<AgentStreamChunk>,
    context: OperatorContext,
    options: StreamOptions = {},
  ): Promise<void> {
    const { detached = false, ...runOptions } = options;
    const stop = new AbortController();
    const stoppers = detached ? [context.signal] : [channel.signal, context.signal];
    const disposers = stoppers.map((signal) => onAbort(signal, () => stop.abort(signal.reason)));
    try {
      const sink = (chunk: AgentStreamChunk): Promise<void> | undefined => channel.send(chunk);
      const stoppable = context.child({}, () => stop.signal);
      const finalOutput = await this.run({ ...runOptions, input, context: stoppable, sink });
      // It is in the buffer now, and delivered whatever happens: there is nothing to wait for.
      void channel.send({ type: 'done', finalOutput });
    } finally {
      for (const dispose of disposers) dispose();
    }
  }
}
