import type { AgentCheckpoint } from '../definition/agent-checkpoint.js';
import type { AgentDef } from '../definition/agent-def.js';
import type { AgentOutput } from '../definition/agent-output.js';
import { linkAgent, type LinkedAgent } from '../definition/linked-agent.js';
import type { OperatorContext } from '../operators/operator.context.js';
import type { Operator } from '../operators/operator.js';
import type { OperatorRegistry } from '../operators/operator.registry.js';
import { AgentToolOperator } from './agent-tool.operator.js';
import { loopServices, type LoopServices } from './loop-services.js';
import { runAgent } from './run-agent.js';
import type { RecoveredRun } from '../runs/run-history.js';
import type { RunOptions } from './run-request.js';

/** Runs an agent: model and tools in turns, until there is an answer. */
export class AgentLoopOperator implements Operator<unknown, AgentOutput> {
  readonly metadata = { kind: 'agent' } as const;
  readonly ref: string;
  readonly def: AgentDef;
  readonly #agent: LinkedAgent;
  readonly #services: LoopServices;

  /**
   * @param ref the agent's name as an operator.
   * @throws AgentDefinitionException if a tool's operator is not in the registry.
   */
  constructor(ref: string, def: AgentDef, registry: OperatorRegistry, services?: Partial<LoopServices>) {
    this.ref = ref;
    this.def = def;
    this.#agent = linkAgent(def, registry);
    this.#services = loopServices(services);
  }

  /**
   * Answers an input (anything `AgentInput.from` takes).
   * @throws AgentException always of that family, with `.runId` and `.checkpoint`: see the table of exit reasons.
   */
  execute(input: unknown, context: OperatorContext, options?: RunOptions): Promise<AgentOutput> {
    return runAgent(this.#agent, { ...options, ref: this.ref, input, context }, this.#services);
  }

  /** Goes on from a checkpoint; no tool that has a result in it runs again. `input` adds messages first. */
  resume(
    checkpoint: AgentCheckpoint,
    context: OperatorContext,
    options?: RunOptions & { readonly input?: unknown },
  ): Promise<AgentOutput> {
    const request = { ...options, ref: this.ref, input: options?.input, context, checkpoint };
    return runAgent(this.#agent, request, this.#services);
  }

  /**
   * Goes on with a run that a store has given out again: after a crash, or when people have decided what it waited
   * for. No answer is asked for twice, and no tool that has a result runs again.
   */
  recover(recovered: RecoveredRun, context: OperatorContext, options?: RunOptions): Promise<AgentOutput> {
    const request = { ...options, ref: this.ref, input: undefined, context, recovered };
    return runAgent(this.#agent, request, this.#services);
  }

  /** This agent as a tool of another: it takes `{ input }` and gives the text of its answer. */
  asTool(description: string): AgentToolOperator {
    return new AgentToolOperator(() => this, description);
  }
}
