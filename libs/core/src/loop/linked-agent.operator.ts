import type { AgentDef } from '../definition/agent-def.js';
import type { AgentOutput } from '../definition/agent-output.js';
import { linkAgent, type LinkedAgent, type LinkedTool } from '../definition/linked-agent.js';
import type { OperatorContext } from '../operators/operator.context.js';
import type { OperatorRegistry } from '../operators/operator.registry.js';
import { loopServices, type LoopServices } from './loop-services.js';
import { enqueueRun } from './open-run.js';
import { runAgent } from './run-agent.js';
import type { RunOptions, RunRequest } from './run-request.js';

/** What the two operators that run an agent have in common: the agent, bound to its registry, and the one loop. */
export abstract class LinkedAgentOperator {
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

  /** The tool that the model knows by this name. */
  tool(name: string): LinkedTool | undefined {
    return this.#agent.tools.get(name);
  }

  /**
   * Keeps a run in a durable store, as `queued`, for whoever claims it; gives its id.
   * @throws AgentException `not_durable`, `run_exists`, `caller_not_kept`, or for an input that is none.
   */
  enqueue(
    input: unknown,
    context: OperatorContext,
    options: Pick<RunOptions, 'runId'> = {},
  ): Promise<string> {
    return enqueueRun(this.#agent, { ...options, input, context, ref: this.ref }, this.#services);
  }

  protected run(request: Omit<RunRequest, 'ref'>): Promise<AgentOutput> {
    return runAgent(this.#agent, { ...request, ref: this.ref }, this.#services);
  }
}
