/** Where a callback comes from. */
export interface AgentCallbackContext {
  readonly executionId: string;
  readonly graphName: string;
  readonly nodeId: string;
  readonly operatorRef: string;
  readonly sessionId: string | undefined;
  readonly traceparent: string | undefined;
}

export interface TurnStartedPayload {
  /** 1-based. */
  readonly turnNumber: number;
  /** Messages in the whole conversation at that moment. */
  readonly messageCount: number;
}

export interface LlmCalledPayload {
  readonly turnNumber: number;
  readonly model: string;
  /** 0 where the provider does not tell. */
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly latencyMs: number;
  readonly finishReason: string;
}

export interface ToolDispatchedPayload {
  readonly turnNumber: number;
  readonly toolCallId: string;
  /** As the model sent it, also if no such tool exists. */
  readonly toolName: string;
  /** As the model sent it, also if it is no JSON. */
  readonly argumentsJson: string;
}

export interface ToolCompletedPayload {
  readonly turnNumber: number;
  readonly toolCallId: string;
  readonly toolName: string;
  readonly success: boolean;
  readonly latencyMs: number;
  /** The start of the result text, 200 characters at most. */
  readonly resultSummary: string;
}

/** Why a loop ended. */
export type ExitReason =
  | 'stop'
  | 'exit_condition'
  | 'max_turns'
  | 'length'
  | 'content_filter'
  | 'suspended'
  | 'budget'
  | 'loop_detected'
  | 'deadline'
  | 'aborted'
  | 'error';

export interface LoopExitedPayload {
  readonly totalTurns: number;
  readonly totalLlmCalls: number;
  readonly totalLlmTokens: number;
  readonly totalLatencyMs: number;
  readonly exitReason: ExitReason;
}

/**
 * Hears what a run does. Every method is optional to users (`Partial<AgentExecutionListener>`); what one throws
 * or rejects with is logged once per kind and changes nothing else.
 */
export interface AgentExecutionListener {
  onAgentTurnStarted(payload: TurnStartedPayload, context: AgentCallbackContext): void | Promise<void>;
  onAgentLlmCalled(payload: LlmCalledPayload, context: AgentCallbackContext): void | Promise<void>;
  onAgentToolDispatched(payload: ToolDispatchedPayload, context: AgentCallbackContext): void | Promise<void>;
  onAgentToolCompleted(payload: ToolCompletedPayload, context: AgentCallbackContext): void | Promise<void>;
  onAgentLoopExited(payload: LoopExitedPayload, context: AgentCallbackContext): void | Promise<void>;
}
