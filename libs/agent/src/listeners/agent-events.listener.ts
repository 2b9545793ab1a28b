import type { AgentCallbackContext, AgentExecutionListener } from '@nestor/core';

/** As much of `EventEmitter2` as is used. */
export interface AgentEventEmitter {
  emitAsync(event: string, payload: unknown, context: AgentCallbackContext): Promise<unknown>;
}

/** Emits each callback as an event, so that `@OnEvent('agent.tool.completed')` hears it: payload first, context second. */
export class AgentEventsListener implements AgentExecutionListener {
  readonly #emitter: AgentEventEmitter;

  constructor(emitter: AgentEventEmitter) {
    this.#emitter = emitter;
  }

  onAgentTurnStarted(payload: unknown, context: AgentCallbackContext): Promise<void> {
    return this.#emit('agent.turn.started', payload, context);
  }

  onAgentLlmCalled(payload: unknown, context: AgentCallbackContext): Promise<void> {
    return this.#emit('agent.llm.called', payload, context);
  }

  onAgentToolDispatched(payload: unknown, context: AgentCallbackContext): Promise<void> {
    return this.#emit('agent.tool.dispatched', payload, context);
  }

  onAgentToolCompleted(payload: unknown, context: AgentCallbackContext): Promise<void> {
    return this.#emit('agent.tool.completed', payload, context);
  }

  onAgentLoopExited(payload: unknown, context: AgentCallbackContext): Promise<void> {
    return this.#emit('agent.loop.exited', payload, context);
  }

  /** What handlers throw or reject with then goes the way of all listeners; `emit` would leave rejections unhandled. */
  async #emit(event: string, payload: unknown, context: AgentCallbackContext): Promise<void> {
    await this.#emitter.emitAsync(event, payload, context);
  }
}
