import { Injectable, Module } from '@nestjs/common';
import { EventEmitterModule, OnEvent } from '@nestjs/event-emitter';
import type { AgentCallbackContext, LlmCalledPayload } from '@nestor/core';

@Injectable()
export class Tokens {
  readonly used = new Map<string, number>();

  @OnEvent('agent.llm.called')
  add({ promptTokens, completionTokens }: LlmCalledPayload, { sessionId = '' }: AgentCallbackContext) {
    this.used.set(sessionId, (this.used.get(sessionId) ?? 0) + promptTokens + completionTokens);
  }
}

@Module({ imports: [EventEmitterModule.forRoot()], providers: [Tokens] })
export class AccountingModule {}
