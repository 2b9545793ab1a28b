export * from './agent.module.js';
export type { AgentSource } from './agents/feature-agents.js';
export {
  AGENT_DURABILITY,
  type AgentModuleOptions,
  type AgentModuleExtras,
  type Durability,
  type LlmOptions,
} from './agent-module.options.js';
export * from './agents/active-runs.js';
export * from './agents/agent-approval.service.js';
export * from './agents/approvals.options.js';
export * from './agents/agent.js';
export * from './agents/agent-health.indicator.js';
export * from './agents/agent-loop.service.js';
export * from './agents/agent-run-options.js';
export * from './agents/agent-run-stream.js';
export type { AttachedChunk, AttachOptions } from './agents/attach-run.js';
export * from './agents/agent.registry.js';
export * from './agents/inject-agent.decorator.js';
export * from './agents/run-recovery.js';
export * from './health/database-health.js';
export * from './sessions/agent-sessions.js';
export * from './storage/run-stores.js';
export * from './listeners/agent-listener.decorator.js';
export * from './journal/event-journal.options.js';
export * from './journal/agent-journal.js';
export * from './journal/journal-records.js';
export { EventJournalRuntime } from './journal/event-journal.runtime.js';
export { LLM_PROVIDER } from './llm/llm-provider.factory.js';
export { Caller } from './operators/caller.decorator.js';
export { ToolContext } from './operators/tool-context.decorator.js';
export { ToolInvocation } from './operators/tool-invocation.js';
export { AGENT_CONTEXT_TYPE } from './operators/enhanced-call.js';
export * from './decorated-class.exception.js';
export { isDtoClass, type DtoClass } from './schemas/dto-class.js';
export { dtoInputSchema } from './schemas/dto-schema.js';
export { Operator, type OperatorOptions } from './operators/operator.decorator.js';
