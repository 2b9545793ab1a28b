import type { AgentException } from '../errors/agent.exception.js';
import type { ExitReason, LoopExitedPayload } from '../listeners/agent-execution.listener.js';
import type { OperatorContext } from '../operators/operator.context.js';
import { thrownMessage } from '../operators/tool-error.js';
import type { RecoveredRun } from '../runs/run-history.js';
import type { LoopServices } from './loop-services.js';
import { runListeners } from './run-listeners.js';
import type { RunRequest } from './run-request.js';

/**
 * Ends a recovered run that is aborted while it waits for its session, or that cannot begin; left to itself it would be
 * claimed again and again.
 */
export async function endUnopened(
  { log, history }: RecoveredRun,
  { error, exitReason }: { readonly error: AgentException; readonly exitReason: ExitReason },
  request: RunRequest,
  services: LoopServices,
  context: OperatorContext,
): Promise<void> {
  const exited = exitOf(history, exitReason);
  const listeners = runListeners(log, request, services, context);
  const { totalTurns: turnsUsed, totalLlmTokens: totalTokens } = exited;
  try {
    const ended = await log.ended({ exitReason, turnsUsed, totalTokens, error: error.message }, exited);
    if (ended !== false) listeners.tell('onAgentLoopExited', exited);
  } catch (failure) {
    services.logger.warn(
      `The end of run ${history.run.runId} could not be recorded: ${thrownMessage(failure)}`,
    );
  }
  await listeners.settle();
}

function exitOf({ answers }: RecoveredRun['history'], exitReason: ExitReason): LoopExitedPayload {
  return {
    totalTurns: answers.at(-1)?.turn ?? 0,
    totalLlmCalls: answers.length,
    totalLlmTokens: answers.reduce((sum, { response }) => sum + (response.usage?.totalTokens ?? 0), 0),
    totalLatencyMs: 0,
    exitReason,
  };
}
