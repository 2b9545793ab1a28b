import type { InputSchema } from './input-schema.js';
import type { OperatorContext } from './operator.context.js';

/** How an operator may be repeated after a crash; see the durability documentation. */
export type OperatorEffect = 'pure' | 'idempotent' | 'at-most-once';

export interface OperatorRetry {
  /** Total attempts, >= 1. Default 1. */
  readonly attempts: number;
  /** Wait before the second attempt in ms, doubled each time. Default 200. */
  readonly delayMs?: number;
}

/** What is known of an operator: what the model reads, and the rules for calling it. */
export interface OperatorMetadata {
  readonly name: string;
  readonly description: string;
  /** Validates the arguments and describes them to the model. `null`: none is described, and anything goes. */
  readonly input: InputSchema | null;
  readonly output: InputSchema | null;
  /** When to use it; added to the description the model reads. */
  readonly promptHint?: string | undefined;
  readonly usageExample?: string | undefined;
  readonly constraintsDescription?: string | undefined;
  readonly tags: readonly string[];
  readonly owner?: string | undefined;
  /** Default `at-most-once`. */
  readonly effect: OperatorEffect;
  /** Whether a person must approve a call first. Default false. */
  readonly approval: boolean | ((input: unknown, context: OperatorContext) => boolean | Promise<boolean>);
  /** How long a run waits for a person to decide about a call, in ms; then it counts as rejected. Default: for ever. */
  readonly approvalTimeout?: number | undefined;
  /**
   * Who decides about an `at-most-once` call that a crash has left without a result: the `model`, which is told
   * `outcome_unknown`; or `suspend`: a person, for whom the run waits. Default `model`.
   */
  readonly onUnknownOutcome?: 'model' | 'suspend' | undefined;
  /** Limit of one call in ms. Default: the agent's `toolTimeout`. */
  readonly timeout?: number | undefined;
  readonly retry?: OperatorRetry | undefined;
  /** Whether a run is offered the tool at all; asked once when the run starts. Default: always. */
  readonly visible?: ((context: OperatorContext) => boolean | Promise<boolean>) | undefined;
  /** `tool`: offered by `tools: 'all'`; `model` and `agent` are not. Default `tool`. */
  readonly kind: 'tool' | 'model' | 'agent';
}
