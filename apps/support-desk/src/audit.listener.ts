import { Logger } from '@nestjs/common';
import { AgentListener } from '@nestor/agent';
import type {
  AgentCallbackContext,
  AgentExecutionListener,
  LoopExitedPayload,
  ToolCompletedPayload,
} from '@nestor/core';

/** Leaves one line in the log for each tool call and each finished run. */
@AgentListener()
export class AuditListener implements Partial<AgentExecutionListener> {
  private readonly logger = new Logger('Audit');

  onAgentToolCompleted(tool: ToolCompletedPayload, { executionId }: AgentCallbackContext): void {
    const outcome = tool.success ? 'succeeded' : 'failed';
    this.logger.log(`${executionId}: ${tool.toolName} ${outcome} in ${Math.round(tool.latencyMs)} ms`);
  }

  onAgentLoopExited(run: LoopExitedPayload, { executionId, graphName }: AgentCallbackContext): void {
    this.logger.log(
      `${executionId}: ${graphName} ended with ${run.exitReason} after ${run.totalTurns} turns, ` +
        `${run.totalLlmTokens} tokens, ${Math.round(run.totalLatencyMs)} ms`,
    );
  }
}
