import { randomUUID } from 'node:crypto';
import type { AgentDef } from '../definition/agent-def.js';
import { AgentInput } from '../definition/agent-input.js';
import { visibleAgent, type LinkedAgent } from '../definition/linked-agent.js';
import { AgentException } from '../errors/agent.exception.js';
import { Expression } from '../language/expression.js';
import { createMemory } from '../memory/create-memory.js';
import { tokenEstimatorFor } from '../memory/model-token-estimator.js';
import { repairHistory } from '../messages/history-repair.js';
import { isDurableRunStore } from '../runs/durable-run.store.js';
import type { NewRun } from '../runs/run.store.js';
import type { LlmMessage } from '../messages/llm-message.js';
import { wellFormed } from '../messages/well-formed.js';
import type { OperatorContext } from '../operators/operator.context.js';
import { AgentRun } from './agent-run.js';
import { evaluateExpression } from './evaluate-expression.js';
import type { LoopServices } from './loop-services.js';
import { openSession, type SessionLease } from './session-lease.js';
import type { RunRequest } from './run-request.js';
import type { RunScope } from './run-scope.js';

export interface OpenedRun {
  readonly run: AgentRun;
  readonly session: SessionLease | undefined;
}

/** Makes a run ready for its first turn: input, session, memory, log. */
export async function openRun(
  agent: LinkedAgent,
  request: RunRequest,
  given: LoopServices,
  context: OperatorContext,
  scope: RunScope,
): Promise<OpenedRun> {
  const services = await withEstimator(agent, given);
  const input = readInput(request);
  checkRequest(request);
  const session = await openSession(request, services.sessions, context, scope);
  try {
    const prompt = systemMessage(agent, context);
    const history = session?.history ?? request.checkpoint?.conversation ?? [];
    const initial = startingMessages(prompt, history, input);
    const memory = createMemory(agent.def.memoryStrategy, initial, {
      estimator: services.tokenEstimator,
      summarizer: services.summarizerFor?.(agent.def),
      logger: services.logger,
    });
    const visible = await scope.race(visibleAgent(agent, context));
    // Last, because nothing may fail between the opening of the log and the run that ends it.
    const opening = request.recovered?.log ?? services.runs.open(newRun(agent, input, context, services));
    const log = opening instanceof Promise ? await scope.settle(opening, services.settleGraceMs) : opening;
    scope.follow(log.lost);
    const run = new AgentRun({
      agent: visible,
      request,
      services,
      context,
      scope,
      memory,
      log,
      initial,
      promptLength: prompt.length,
    });
    return { run, session };
  } catch (error) {
    session?.release();
    throw error;
  }
}

/**
 * Keeps a run for whoever claims it, and gives its id.
 * @throws AgentException `not_durable` if nobody could claim it; else what the store or the input is refused for.
 */
export async function enqueueRun(
  agent: LinkedAgent,
  request: RunRequest,
  services: LoopServices,
): Promise<string> {
  const { runs } = services;
  if (!isDurableRunStore(runs)) {
    throw new AgentException(
      `A run of "${agent.def.id}" cannot be kept for later: the run store is not durable. Give a DurableRunStore.`,
      { code: 'not_durable' },
    );
  }
  const context = request.context.child({ executionId: request.runId ?? randomUUID() });
  await runs.enqueue(newRun(agent, readInput(request), context, services));
  return context.executionId;
}

/** The context of the whole run, made from the caller's. */
export function runContext(agent: LinkedAgent, request: RunRequest, scope: RunScope): OperatorContext {
  return request.context.child(
    {
      executionId: request.recovered?.history.run.runId ?? request.runId ?? randomUUID(),
      graphName: agent.def.id,
      nodeId: request.ref,
      operatorRef: request.ref,
      toolCallId: undefined,
      idempotencyKey: undefined,
      turnNumber: 0,
    },
    () => scope.signal,
  );
}

/** A token budget counts as the agent's model does, unless the application brought an estimator. */
async function withEstimator({ def }: LinkedAgent, services: LoopServices): Promise<LoopServices> {
  if (def.memoryStrategy.kind !== 'token_budget' || services.tokenEstimator) return services;
  const model = def.model === 'default' ? (services.defaultModel ?? '') : def.model;
  return { ...services, tokenEstimator: await tokenEstimatorFor(model) };
}

function newRun(
  { def }: LinkedAgent,
  input: readonly LlmMessage[],
  context: OperatorContext,
  services: LoopServices,
): NewRun {
  return {
    runId: context.executionId,
    agentId: def.id,
    sessionId: context.sessionId,
    input,
    ctx: context.graphContext,
    caller: keptCaller(context.caller, services),
  };
}

/** @throws AgentException `caller_not_kept` if a durable run would lose the user its guards ask for. */
function keptCaller(caller: unknown, { runs, callerCodec }: LoopServices): unknown {
  if (caller === undefined || !isDurableRunStore(runs)) return undefined;
  if (callerCodec) return callerCodec.serialize(caller);
  throw new AgentException(
    'A durable run may go on in another process, and nothing says how its caller gets there. ' +
      'Set caller: { serialize, restore } in AgentModule.forRoot, or run without a caller.',
    { code: 'caller_not_kept' },
  );
}

function readInput({ input, checkpoint, recovered }: RunRequest): readonly LlmMessage[] {
  if (recovered) return recovered.history.run.input;
  if (input === undefined && checkpoint) return [];
  return AgentInput.from(input).messages;
}

function checkRequest({ maxTurns, checkpoint }: RunRequest): void {
  if (maxTurns !== undefined) checkWhole('maxTurns', maxTurns, 1);
  if (checkpoint) checkWhole('The turnCount of the checkpoint', checkpoint.turnCount, 0);
}

function checkWhole(field: string, value: number, least: number): void {
  if (Number.isSafeInteger(value) && value >= least) return;
  throw new AgentException(`${field} is ${value}; it must be a whole number >= ${least}.`, {
    code: 'invalid_input',
  });
}

function systemMessage({ def }: LinkedAgent, context: OperatorContext): LlmMessage[] {
  const content = promptText(def, context.graphContext);
  return content ? [Object.freeze({ role: 'system', content: wellFormed(content) })] : [];
}

function promptText({ id, systemPrompt }: AgentDef, ctx: Readonly<Record<string, unknown>>): string | null {
  if (typeof systemPrompt === 'function') return systemPrompt(ctx);
  if (!(systemPrompt instanceof Expression)) return systemPrompt;
  const evaluate = (prompt: Expression): string => String(prompt.evaluate({ variables: { ctx } }));
  return evaluateExpression(id, 'system prompt', systemPrompt, evaluate);
}

function startingMessages(
  prompt: readonly LlmMessage[],
  history: readonly LlmMessage[],
  input: readonly LlmMessage[],
): readonly LlmMessage[] {
  const [first] = prompt;
  return repairHistory([...prompt, ...withoutPrompt(history, first), ...withoutPrompt(input, first)]);
}

/** An input that already starts with the agent's prompt does not get it twice. */
function withoutPrompt(
  messages: readonly LlmMessage[],
  prompt: LlmMessage | undefined,
): readonly LlmMessage[] {
  const [first] = messages;
  const repeated = prompt && first?.role === 'system' && first.content === prompt.content;
  return repeated ? messages.slice(1) : messages;
}
