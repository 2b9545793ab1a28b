import type { AgentOutput } from '../definition/agent-output.js';
import type { LinkedAgent } from '../definition/linked-agent.js';
import { AgentAbortedException } from '../errors/agent-aborted.exception.js';
import { AgentException } from '../errors/agent.exception.js';
import { DeadlineExceededException } from '../errors/deadline-exceeded.exception.js';
import type { ExitReason } from '../listeners/agent-execution.listener.js';
import type { AgentRun } from './agent-run.js';
import type { LoopServices } from './loop-services.js';
import { openRun, runContext } from './open-run.js';
import type { RunRequest } from './run-request.js';
import { RunScope } from './run-scope.js';
import { runTurns } from './turn.engine.js';

/** Exit reasons that an exception's code is itself. */
const EXIT_CODES: ReadonlySet<string> = new Set<ExitReason>([
  'max_turns',
  'budget',
  'loop_detected',
  'deadline',
  'aborted',
]);

/**
 * Runs an agent from its input to its output: opens the run, lets the loop turn, and closes whatever it opened.
 * @throws AgentException always one of that family, with `.runId` and `.checkpoint`.
 */
export async function runAgent(
  agent: LinkedAgent,
  request: RunRequest,
  services: LoopServices,
): Promise<AgentOutput> {
  const scope = new RunScope([request.context.signal]);
  const context = runContext(agent, request, scope);
  const { id, deadline } = agent.def;
  if (deadline !== null) scope.abortAfter(deadline, () => new DeadlineExceededException(id, deadline));
  try {
    scope.throwIfAborted();
    const { run, session } = await openRun(agent, request, services, context, scope);
    try {
      const exitReason = await runTurns(run);
      await session?.commit(run.conversation());
      await close(run, exitReason, undefined);
      return output(run, exitReason);
    } catch (thrown) {
      const error = toException(agent, scope, thrown);
      error.checkpoint ??= run.checkpoint();
      await close(run, exitReasonOf(error), error);
      throw error;
    } finally {
      session?.release();
    }
  } catch (thrown) {
    const error = toException(agent, scope, thrown);
    error.runId ??= context.executionId;
    error.checkpoint ??= { conversation: [], turnCount: 0, toolResults: {} };
    throw error;
  } finally {
    scope.dispose();
  }
}

function output(run: AgentRun, exitReason: ExitReason): AgentOutput {
  return Object.freeze({
    content: run.answer?.message.content ?? '',
    finishReason: run.answer?.finishReason ?? '',
    exitReason,
    turnsUsed: run.turn,
    messages: run.memory.messages(),
    toolResults: run.toolResults,
    checkpoint: run.checkpoint(),
    usage: run.usage,
    runId: run.runId,
    ...(run.value !== undefined && { value: run.value }),
    pendingApprovals: [],
  });
}

/** Tells log and listeners, once, that the run has ended, whatever way. */
async function close(
  run: AgentRun,
  exitReason: ExitReason,
  error: AgentException | undefined,
): Promise<void> {
  if (run.closed) return;
  run.closed = true;
  run.listeners.tell('onAgentLoopExited', {
    totalTurns: run.turn,
    totalLlmCalls: run.llmCalls,
    totalLlmTokens: run.usage.totalTokens,
    totalLatencyMs: run.latencyMs,
    exitReason,
  });
  await run.listeners.settle();
  await run.log.ended({
    exitReason,
    turnsUsed: run.turn,
    totalTokens: run.usage.totalTokens,
    error: error?.message,
  });
}

function exitReasonOf(error: AgentException): ExitReason {
  // The set holds exit reasons only.
  return EXIT_CODES.has(error.code) ? (error.code as ExitReason) : 'error';
}

/** The error that leaves the run. A run that was aborted says so, whatever its parts threw on the way down. */
function toException(agent: LinkedAgent, scope: RunScope, thrown: unknown): AgentException {
  const { id } = agent.def;
  if (scope.aborted) {
    const { reason } = scope;
    if (thrown instanceof AgentAbortedException || thrown instanceof DeadlineExceededException) return thrown;
    return reason instanceof DeadlineExceededException ? reason : new AgentAbortedException(id, reason);
  }
  if (thrown instanceof AgentException) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new AgentException(`Agent "${id}" failed: ${message}`, { code: 'error', cause: thrown });
}
