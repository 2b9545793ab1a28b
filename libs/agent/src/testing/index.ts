export { agentMatchers, type AgentMatchers } from './agent-matchers.js';
export { AgentTestingModule, type AgentTestingOptions } from './agent-testing.module.js';
export type { MatcherContext, MatcherResult } from './matcher-context.js';
export type { QuestionPattern } from './question.js';
export { ScriptedProvider } from './scripted.provider.js';
export { ScriptedRule } from './scripted-rule.js';
