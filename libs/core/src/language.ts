/**
 * The agent language without the engine, for tools that check and format files: `@nestor/core/language`. It loads a third
 * of what `@nestor/core` does. To run agents, compile them with `AgentDslCompiler` of that.
 */
export { checkFile } from './language/checks/file.checks.js';
export type { OperatorCatalog } from './language/checks/operator-catalog.js';
export type { Diagnostic, RelatedPlace } from './language/diagnostic.js';
export * from './language/diagnostic-json.js';
export * from './language/formatter.js';
export * from './language/line-map.js';
export { parse, type ParseResult } from './language/parser.js';
export * from './language/render-diagnostic.js';
export type * from './language/syntax-tree.js';
