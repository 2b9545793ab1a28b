import { AgentException, type PendingApproval, type RunSummary } from '@nestor/core';

/** Thrown when there is nothing to take over of a run; says why. */
export class NotResumableException extends AgentException {
  constructor(runId: string, reason: string) {
    super(`Run "${runId.slice(0, 100)}" cannot be resumed: ${reason}`, { code: 'not_resumable' });
    this.runId = runId;
  }

  static notDurable(runId: string): NotResumableException {
    return new NotResumableException(
      runId,
      "runs are not durable. Set durability: 'run' in AgentModule.forRoot.",
    );
  }

  static withoutAgent({ runId, agentId }: RunSummary): NotResumableException {
    return new NotResumableException(
      runId,
      `there is no agent "${agentId}" here. It goes on by itself when the agent is back, or where it is known.`,
    );
  }

  static because({ runId, status }: RunSummary, pending: readonly PendingApproval[]): NotResumableException {
    switch (status) {
      case 'suspended':
      case 'queued':
        return new NotResumableException(runId, waitsFor(pending));
      case 'running':
        return new NotResumableException(
          runId,
          'another process works on it. If that process is gone, the run goes on by itself when its lease is over.',
        );
      default:
        return new NotResumableException(runId, `it has ended (${status}).`);
    }
  }
}

function waitsFor(pending: readonly PendingApproval[]): string {
  if (pending.length === 0) return 'another process is taking it over.';
  const calls = pending.map(({ toolCallId, toolName }) => `${toolName} (${toolCallId})`).join(', ');
  return `it waits for a decision about ${calls}. Send it to POST /runs/:id/approvals/:callId.`;
}
