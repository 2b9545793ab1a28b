import type { AgentCheckpoint } from '../definition/agent-checkpoint.js';
import type { AgentOutput } from '../definition/agent-output.js';
import type { LinkedAgent } from '../definition/linked-agent.js';
import { AgentAbortedException } from '../errors/agent-aborted.exception.js';
import { AgentException } from '../errors/agent.exception.js';
import { DeadlineExceededException } from '../errors/deadline-exceeded.exception.js';
import type { ExitReason, LoopExitedPayload } from '../listeners/agent-execution.listener.js';
import { toJsonSafe } from '../operators/json-safe.js';
import { thrownMessage } from '../operators/tool-error.js';
import type { RunOutcome, RunResult } from '../runs/run.store.js';
import type { AgentRun } from './agent-run.js';
import type { LoopServices } from './loop-services.js';
import { endUnopened } from './end-unopened.js';
import { openRun, runContext, type OpenedRun } from './open-run.js';
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

/** The code a store throws while its database is away: a run that could not begin for it is claimed again. */
const STORE_AWAY = 'database_unavailable';

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
  let opened: OpenedRun | undefined;
  try {
    scope.follow(request.recovered?.log.lost);
    scope.throwIfAborted();
    opened = await openRun(agent, request, services, context, scope);
    return await complete(opened);
  } catch (thrown) {
    const error = toException(agent, request, scope, thrown);
    // Always of this run: the error may have left another one before, which a tool of this run made.
    error.runId = context.executionId;
    error.checkpoint = (opened && checkpointOf(opened.run)) ?? request.checkpoint ?? NOTHING_DONE;
    if (opened) await fail(opened.run, error);
    else if (request.recovered && error.code !== STORE_AWAY) {
      const end = { error, exitReason: exitReasonOf(error) };
      await endUnopened(request.recovered, end, request, services, context);
    }
    throw error;
  } finally {
    opened?.session?.release();
    scope.dispose();
  }
}

const NOTHING_DONE: AgentCheckpoint = Object.freeze({ conversation: [], turnCount: 0, toolResults: {} });

async function complete({ run, session }: OpenedRun): Promise<AgentOutput> {
  const exitReason = await runTurns(run);
  if (exitReason === 'suspended') {
    // It goes on later: the session gets nothing yet, and nobody is told of an exit.
    await run.listeners.settle();
    return output(run, exitReason);
  }
  // Whoever cancelled it after the last answer was told so; the session must not hear of it either.
  run.scope.throwIfAborted();
  if (session) await run.scope.settle(session.commit(run.conversation()), run.services.settleGraceMs);
  const result = output(run, exitReason);
  const exited = exitOf(run, exitReason);
  await endLog(run, exited, { output: resultOf(result) });
  await tellExit(run, exited);
  return result;
}

async function fail(run: AgentRun, error: AgentException): Promise<void> {
  const exited = exitOf(run, exitReasonOf(error));
  let ended = true;
  try {
    ended = await endLog(run, exited, { error: error.message });
  } catch (failure) {
    run.services.logger.warn(`The end of run ${run.runId} could not be recorded: ${thrownMessage(failure)}`);
  }
  if (ended) await tellExit(run, exited);
  else await run.listeners.settle();
}

/** Undefined if not even the memory, which may be of the user's making, can say where the run stands. */
function checkpointOf(run: AgentRun): AgentCheckpoint | undefined {
  try {
    return run.checkpoint();
  } catch {
    return undefined;
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
    pendingApprovals: run.pendingApprovals,
    ...(run.services.isJournalPartial?.(run.runId) && { journal: 'partial' as const }),
  });
}

/** What is kept of an output when the run is over. */
function resultOf({ content, finishReason, usage, value }: AgentOutput): RunResult {
  return { content, finishReason, usage, ...(value !== undefined && { value: toJsonSafe(value) }) };
}

function exitOf(run: AgentRun, exitReason: ExitReason): LoopExitedPayload {
  return {
    totalTurns: run.turn,
    totalLlmCalls: run.llmCalls,
    totalLlmTokens: run.usage.totalTokens,
    totalLatencyMs: run.latencyMs,
    exitReason,
  };
}

/** Gives false if the run goes on elsewhere. */
async function endLog(
  run: AgentRun,
  exited: LoopExitedPayload,
  result: Partial<Pick<RunOutcome, 'output' | 'error'>>,
): Promise<boolean> {
  const { exitReason, totalTurns: turnsUsed, totalLlmTokens: totalTokens } = exited;
  const outcome = { exitReason, turnsUsed, totalTokens, error: undefined, ...result };
  const recording = run.log.ended(outcome, exited);
  if (!(recording instanceof Promise)) return recording !== false;
  return (await run.scope.settle(recording, run.services.settleGraceMs)) !== false;
}

/** Tells the listeners that the run has ended. Nothing they do can fail it any more. */
async function tellExit(run: AgentRun, exited: LoopExitedPayload): Promise<void> {
  run.listeners.tell('onAgentLoopExited', exited);
  await run.listeners.settle();
}

function exitReasonOf(error: AgentException): ExitReason {
  // The set holds exit reasons only.
  return EXIT_CODES.has(error.code) ? (error.code as ExitReason) : 'error';
}

/** The error that leaves the run. A run that was aborted says so, whatever its parts threw on the way down. */
function toException(
  { def: { id } }: LinkedAgent,
  { context }: RunRequest,
  scope: RunScope,
  thrown: unknown,
): AgentException {
  if (scope.aborted) {
    const { reason } = scope;
    // The deadline of a run that this one is a part of comes by the caller's signal.
    const isOwn = reason instanceof DeadlineExceededException && reason !== context.signal.reason;
    return isOwn ? reason : new AgentAbortedException(id, reason);
  }
  if (thrown instanceof AgentException) return thrown;
  return new AgentException(`Agent "${id}" failed: ${thrownMessage(thrown)}`, {
    code: 'error',
    cause: thrown,
  });
}
