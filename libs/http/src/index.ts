export * from './agent-http.module.js';
export type { AgentDescription } from './catalog/agent-description.js';
export type { Health } from './catalog/catalog.controller.js';
export type { OperatorDescription } from './catalog/operator-description.js';
export type { RunRecord } from './runs/run-records.controller.js';
export * from './problems/problem.js';
export * from './problems/problem.filter.js';
