import { AgentListener } from '@nestor/agent';
import type { AgentCallbackContext, AgentExecutionListener, ToolCompletedPayload } from '@nestor/core';

@AgentListener()
export class AuditListener implements Partial<AgentExecutionListener> {
  readonly lines: string[] = [];

  onAgentToolCompleted({ toolName, success }: ToolCompletedPayload, { executionId }: AgentCallbackContext) {
    this.lines.push(`${executionId} ${toolName} ${success ? 'ok' : 'failed'}`);
  }
}
