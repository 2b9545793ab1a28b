import { randomUUID } from 'node:crypto';
import { AgentInput } from '../definition/agent-input.js';
import type { LinkedAgent } from '../definition/linked-agent.js';
import { AgentException } from '../errors/agent.exception.js';
import { createMemory } from '../memory/create-memory.js';
import { repairHistory } from '../messages/history-repair.js';
import type { LlmMessage } from '../messages/llm-message.js';
import type { OperatorContext } from '../operators/operator.context.js';
import { AgentRun } from './agent-run.js';
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
  services: LoopServices,
  context: OperatorContext,
  scope: RunScope,
): Promise<OpenedRun> {
  const input = readInput(request);
  checkMaxTurns(request);
  const session = await openSession(request, services.sessions, context.sessionId, scope.signal);
  try {
    const prompt = systemMessage(agent, context);
    const history = session?.history ?? request.checkpoint?.conversation ?? [];
    const log = await services.runs.open({
      runId: context.executionId,
      agentId: agent.def.id,
      sessionId: context.sessionId,
      input,
    });
    const initial = repairHistory(prompt.concat(withoutPrompt(history.concat(input), prompt[0])));
    const memory = createMemory(agent.def.memoryStrategy, initial, {
      estimator: services.tokenEstimator,
      summarizer: services.summarizerFor?.(agent.def),
      logger: services.logger,
    });
    const promptLength = prompt.length;
    const run = new AgentRun({ agent, request, services, context, scope, memory, log, promptLength });
    return { run, session };
  } catch (error) {
    session?.release();
    throw error;
  }
}

/** The context of the whole run, made from the caller's. */
export function runContext(agent: LinkedAgent, request: RunRequest, scope: RunScope): OperatorContext {
  return request.context.child(
    {
      executionId: request.runId ?? randomUUID(),
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

function readInput({ input, checkpoint }: RunRequest): readonly LlmMessage[] {
  if (input === undefined && checkpoint) return [];
  return AgentInput.from(input).messages;
}

function checkMaxTurns({ maxTurns }: RunRequest): void {
  if (maxTurns === undefined || (Number.isSafeInteger(maxTurns) && maxTurns >= 1)) return;
  throw new AgentException(`maxTurns is ${maxTurns}; it must be a whole number >= 1.`, {
    code: 'invalid_input',
  });
}

function systemMessage({ def }: LinkedAgent, context: OperatorContext): LlmMessage[] {
  const { systemPrompt } = def;
  const content = typeof systemPrompt === 'function' ? systemPrompt(context.graphContext) : systemPrompt;
  return content ? [Object.freeze({ role: 'system', content })] : [];
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
