import type { AgentCheckpoint } from '../definition/agent-checkpoint.js';
import type { AgentOutput } from '../definition/agent-output.js';
import type { OperatorContext } from '../operators/operator.context.js';
import type { Operator } from '../operators/operator.js';
import type { RecoveredRun } from '../runs/run-history.js';
import { AgentToolOperator } from './agent-tool.operator.js';
import { LinkedAgentOperator } from './linked-agent.operator.js';
import type { RunOptions } from './run-request.js';

/** Runs an agent: model and tools in turns, until there is an answer. */
export class AgentLoopOperator extends LinkedAgentOperator implements Operator<unknown, AgentOutput> {
  /**
   * Answers an input (anything `AgentInput.from` takes).
   * @throws AgentException always of that family, with `.runId` and `.checkpoint`: see the table of exit reasons.
   */
  execute(input: unknown, context: OperatorContext, options?: RunOptions): Promise<AgentOutput> {
    return this.run({ ...options, input, context });
  }

  /** Goes on from a checkpoint; no tool that has a result in it runs again. `input` adds messages first. */
  resume(
    checkpoint: AgentCheckpoint,
    context: OperatorContext,
    options?: RunOptions & { readonly input?: unknown },
  ): Promise<AgentOutput> {
    return this.run({ ...options, input: options?.input, context, checkpoint });
  }

  /**
   * Goes on with a run that a store has given out again: after a crash, or when people have decided what it waited
   * for. No answer is asked for twice, and no tool that has a result runs again.
   */
  recover(recovered: RecoveredRun, context: OperatorContext, options?: RunOptions): Promise<AgentOutput> {
    return this.run({ ...options, input: undefined, context, recovered });
  }

  /** This agent as a tool of another: it takes `{ input }` and gives the text of its answer. */
  asTool(description: string): AgentToolOperator {
    return new AgentToolOperator(() => this, description);
  }
}
