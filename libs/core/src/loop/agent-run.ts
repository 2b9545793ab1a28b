import type { AgentCheckpoint } from '../definition/agent-checkpoint.js';
import type { PendingApproval } from '../definition/pending-approval.js';
import type { LinkedAgent } from '../definition/linked-agent.js';
import type { ListenerDispatch } from '../listeners/listener-dispatch.js';
import type { LlmResponse } from '../llm/llm.provider.js';
import { addUsage, NO_USAGE, type LlmUsage } from '../llm/llm-usage.js';
import type { ConversationMemory } from '../memory/conversation.memory.js';
import type { LlmMessage } from '../messages/llm-message.js';
import type { OperatorContext } from '../operators/operator.context.js';
import type { RunLog } from '../runs/run.store.js';
import type { AgentStreamChunk } from './agent-stream-chunk.js';
import type { LoopServices } from './loop-services.js';
import { RepeatedCallGuard } from './repeated-call.guard.js';
import { runListeners } from './run-listeners.js';
import type { RunRequest } from './run-request.js';
import type { RunScope } from './run-scope.js';

interface AgentRunParts {
  readonly agent: LinkedAgent;
  readonly request: RunRequest;
  readonly services: LoopServices;
  readonly context: OperatorContext;
  readonly scope: RunScope;
  readonly memory: ConversationMemory;
  readonly log: RunLog;
  /** What the memory was made with. */
  readonly initial: readonly LlmMessage[];
  /** Length of the system prompt in messages: 1 or 0. */
  readonly promptLength: number;
}

/** The state of one run: what it has, not what it does. */
export class AgentRun {
  readonly agent: LinkedAgent;
  readonly services: LoopServices;
  readonly context: OperatorContext;
  readonly scope: RunScope;
  readonly memory: ConversationMemory;
  readonly log: RunLog;
  readonly listeners: ListenerDispatch;
  readonly guard: RepeatedCallGuard;
  readonly maxTurns: number;
  /** What was recorded of this run before, if it goes on. */
  readonly recovered: RunRequest['recovered'];
  /** Calls that wait for a person when the run ends as suspended. */
  pendingApprovals: readonly PendingApproval[] = [];
  /** Where chunks go; undefined if the run does not stream. */
  readonly sink: RunRequest['sink'];
  /** The turn under way or, between turns, the last one. */
  turn: number;
  llmCalls = 0;
  usage: LlmUsage = NO_USAGE;
  answer: LlmResponse | undefined;
  toolResults: Readonly<Record<string, unknown>>;
  /** True once the model was asked to repair an answer that did not fit the response format. */
  repairAsked = false;
  /** The validated answer, if the agent has a response format. */
  value: unknown;
  readonly #startedAt = performance.now();
  readonly #promptLength: number;
  readonly #callIds: Set<string>;

  constructor(parts: AgentRunParts) {
    const { agent, request, services, context } = parts;
    this.agent = agent;
    this.services = services;
    this.context = context;
    this.scope = parts.scope;
    this.memory = parts.memory;
    this.log = parts.log;
    this.sink = request.sink;
    this.recovered = request.recovered;
    this.maxTurns = request.maxTurns ?? agent.def.maxTurns;
    this.guard = new RepeatedCallGuard(agent.def.repeatedCallLimit);
    this.turn = request.checkpoint?.turnCount ?? 0;
    this.toolResults = request.checkpoint?.toolResults ?? {};
    this.#promptLength = parts.promptLength;
    this.#callIds = new Set(parts.initial.flatMap((message) => message.toolCalls?.map(({ id }) => id) ?? []));
    this.listeners = runListeners(parts.log, request, services, context);
  }

  get runId(): string {
    return this.context.executionId;
  }

  get latencyMs(): number {
    return performance.now() - this.#startedAt;
  }

  /** Sends a chunk. Gives a promise if the consumer is behind; it resolves when there is room or the run is aborted. */
  emit(chunk: AgentStreamChunk): Promise<void> | undefined {
    const behind = this.sink?.(chunk);
    return behind && this.scope.orAborted(behind);
  }

  /** Waits for what the log does. Gives nothing to wait for if it was done at once. */
  logged(step: void | Promise<void>): Promise<void> | undefined {
    return step === undefined ? undefined : this.scope.settle(step, this.services.settleGraceMs);
  }

  addAnswer(answer: LlmResponse): void {
    this.answer = answer;
    this.memory.append(answer.message);
  }

  addUsage(usage: LlmUsage | undefined): void {
    if (usage) this.usage = addUsage(this.usage, usage);
  }

  /** The id, or one made from it that this conversation has not seen yet. A call without an id gets one: no result could answer it. */
  uniqueCallId(id: string): string {
    const base = id || 'call';
    let unique = base;
    for (let copy = 2; this.#callIds.has(unique); copy++) unique = `${base}_${copy}`;
    this.#callIds.add(unique);
    return unique;
  }

  /** Messages without the system prompt, which belongs to the definition. */
  conversation(): readonly LlmMessage[] {
    return this.memory.messages().slice(this.#promptLength);
  }

  /** Before the turn that waits, if one does: a checkpoint has no call without its result. */
  checkpoint(): AgentCheckpoint {
    const waits = this.pendingApprovals.length > 0;
    return Object.freeze({
      conversation: waits ? this.conversation().slice(0, -1) : this.conversation(),
      turnCount: waits ? this.turn - 1 : this.turn,
      toolResults: this.toolResults,
    });
  }
}
