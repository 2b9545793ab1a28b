import type { NodeChannel } from '../channel/node.channel.js';
import type { OperatorContext } from './operator.context.js';
import type { OperatorMetadata } from './operator-metadata.js';

/** A unit of work with a name in the `OperatorRegistry`: a tool, a model call, an agent. */
export interface Operator<I = unknown, O = unknown> {
  /** What is known of it; the registry completes it with defaults. */
  readonly metadata?: Partial<OperatorMetadata>;
  /**
   * Does the work. A thrown error goes back to the model as the tool's result; an `AgentException` stops the run.
   */
  execute(input: I, context: OperatorContext): O | Promise<O>;
}

/** An operator that delivers its output piece by piece. It sends to the channel and resolves when all is sent; it neither closes nor fails the channel. */
export interface StreamingOperator<I = unknown, C = unknown> {
  readonly metadata?: Partial<OperatorMetadata>;
  readonly streaming: true;
  execute(input: I, channel: NodeChannel<C>, context: OperatorContext): void | Promise<void>;
}
