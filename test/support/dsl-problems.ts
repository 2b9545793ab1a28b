import { AgentDslCompiler, LineMap, OperatorRegistry, toInputSchema } from '@nestor/core';
import * as z from 'zod';

/** The operators that the sources of the tests name. */
export const operators = OperatorRegistry.builder()
  .register('KbSearch', {
    metadata: {
      description: 'Searches the knowledge base.',
      input: toInputSchema(z.object({ query: z.string(), limit: z.number().optional() }), 'KbSearch'),
    },
    execute: () => [],
  })
  .register('Refund', {
    metadata: { input: toInputSchema(z.strictObject({ order: z.string(), cents: z.number() }), 'Refund') },
    execute: () => null,
  })
  .register('Escalate', { execute: () => null })
  .register('llmChat', { metadata: { kind: 'model' }, execute: () => null })
  .build();

/** What is wrong with a source, one text each: `line:column severity[code] message (hint)`. */
export function problemsOf(source: string): string[] {
  const lines = new LineMap(source);
  return new AgentDslCompiler(operators).check(source).diagnostics.map((diagnostic) => {
    const { line, column } = lines.position(diagnostic.span.start);
    const { severity, code, message, hint } = diagnostic;
    return `${line}:${column} ${severity}[${code}] ${message}${hint === undefined ? '' : ` (${hint})`}`;
  });
}
