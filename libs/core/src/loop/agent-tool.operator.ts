import type { AgentOutput } from '../definition/agent-output.js';
import { AgentException } from '../errors/agent.exception.js';
import { ToolException } from '../errors/tool.exception.js';
import type { InputSchema, InputValidation } from '../operators/input-schema.js';
import type { OperatorMetadata } from '../operators/operator-metadata.js';
import type { OperatorContext } from '../operators/operator.context.js';
import type { Operator } from '../operators/operator.js';

/** Agents that may call one another in a row. */
export const MAX_AGENT_DEPTH = 5;

interface Agent {
  readonly def: { readonly id: string };
  execute(input: unknown, context: OperatorContext): Promise<AgentOutput>;
}

/**
 * An agent as a tool. The caller, `ctx` and the signal of the calling run are passed on; the session is not. What
 * stops the inner run is told to the outer model, unless the outer run itself was aborted.
 */
export class AgentToolOperator implements Operator<{ readonly input: string }, unknown> {
  readonly metadata: Partial<OperatorMetadata>;
  readonly #agent: () => Agent;

  /** @param agent gives the agent when it is called, so that agents can name one another in any order. */
  constructor(agent: () => Agent, description: string) {
    this.#agent = agent;
    this.metadata = { description, kind: 'agent', input: INPUT };
  }

  /** @throws ToolException `limit` if agents call one another too deep; `failed` if the inner run fails. */
  async execute({ input }: { readonly input: string }, context: OperatorContext): Promise<unknown> {
    const agent = this.#agent();
    const agentDepth = context.agentDepth + 1;
    if (agentDepth > MAX_AGENT_DEPTH) {
      throw new ToolException(
        'limit',
        `Agents call one another ${MAX_AGENT_DEPTH} deep at most; "${agent.def.id}" was not run.`,
      );
    }
    try {
      const output = await agent.execute(input, context.child({ agentDepth, sessionId: undefined }));
      return output.value ?? output.content;
    } catch (error) {
      if (!(error instanceof AgentException)) throw error;
      throw new ToolException('failed', error.message, { cause: error });
    }
  }
}

/** Written by hand: a validator made from the schema would cost every start-up more than all calls together. */
const INPUT: InputSchema = Object.freeze({
  jsonSchema: Object.freeze({
    type: 'object',
    properties: { input: { type: 'string', description: 'What the agent is asked.' } },
    required: ['input'],
    additionalProperties: false,
  }),
  validate: (value: unknown): InputValidation =>
    typeof value === 'object' && value !== null && 'input' in value && typeof value.input === 'string'
      ? { ok: true, value }
      : { ok: false, issues: [{ path: 'input', message: 'must be a text: what the agent is asked' }] },
});
