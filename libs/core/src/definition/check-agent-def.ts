import { AgentDefinitionException } from '../errors/agent-definition.exception.js';
import { TOOL_NAME } from '../messages/tool-name.js';
import { Expression } from '../language/expression.js';
import type { AgentDef } from './agent-def.js';
import type { AgentToolRef } from './agent-tool-ref.js';
import { rule } from './broken-rule.js';
import { MAX_DEADLINE_MS, MAX_TIMER_MS } from './max-timer.js';

/**
 * Checks every field of a definition that may come from plain JavaScript or a file.
 * @throws AgentDefinitionException with all problems at once.
 */
export function checkAgentDef(def: Partial<AgentDef> & { readonly id: string }): asserts def is AgentDef {
  const problems = [
    text('id', def.id, 'a name, such as "customerSupport"'),
    text('model', def.model, 'the model id, such as "gpt-4o-mini", or "default" for the configured one'),
    optional(def.systemPrompt, (value) =>
      typeof value === 'string' || typeof value === 'function' || value instanceof Expression
        ? undefined
        : rule('systemPrompt', value, "a text, or a function that makes one from the run's ctx"),
    ),
    ...limitProblems(def),
    flag('streaming', def.streaming),
    flag('allTools', def.allTools),
    optional(def.exitCondition, (value) =>
      typeof value === 'function' || value instanceof Expression
        ? undefined
        : rule('exitCondition', value, 'a function such as ({ toolCall }) => toolCall("escalate")'),
    ),
    memoryProblem(def.memoryStrategy),
    ...toolProblems(def.tools),
  ].filter((problem) => problem !== undefined);
  if (problems.length === 0) return;
  throw new AgentDefinitionException(typeof def.id === 'string' && def.id ? def.id : '(no id)', problems);
}

function limitProblems(def: Partial<AgentDef>): (string | undefined)[] {
  return [
    whole('maxTurns', def.maxTurns, 1),
    optional(def.maxToolConcurrency, (value) => whole('maxToolConcurrency', value, 1)),
    optional(def.temperature, (value) =>
      Number.isFinite(value) ? undefined : rule('temperature', value, 'a finite number'),
    ),
    whole('streamingBufferCapacity', def.streamingBufferCapacity, 1),
    whole('toolTimeout', def.toolTimeout, 1, MAX_TIMER_MS),
    optional(def.maxTokens, (value) => whole('maxTokens', value, 1)),
    optional(def.maxTotalTokens, (value) => whole('maxTotalTokens', value, 1)),
    optional(def.deadline, (value) => whole('deadline', value, 1, MAX_DEADLINE_MS)),
    def.onMaxTurns === 'throw' || def.onMaxTurns === 'finalize'
      ? undefined
      : rule('onMaxTurns', def.onMaxTurns, '"throw" or "finalize"'),
    whole('repeatedCallLimit', def.repeatedCallLimit, 0),
    whole('toolResultLimit', def.toolResultLimit, 100),
  ];
}

function memoryProblem(strategy: AgentDef['memoryStrategy'] | undefined): string | undefined {
  switch (strategy?.kind) {
    case 'full':
      return undefined;
    case 'sliding_window':
      return whole('memory slidingWindow(size)', strategy.size, 1);
    case 'token_budget':
      return whole('memory tokenBudget(maxTokens)', strategy.maxTokens, 1);
    case 'summary':
      return whole('memory summary(keep)', strategy.keep, 1);
    case 'custom':
      return typeof strategy.factory === 'function'
        ? undefined
        : rule('memory custom(factory)', strategy.factory, 'a function');
    default:
      return rule(
        'memory',
        strategy,
        'one of AgentMemoryStrategy.full, slidingWindow, tokenBudget, summary, custom',
      );
  }
}

function toolProblems(tools: AgentDef['tools'] | undefined): string[] {
  if (!Array.isArray(tools)) return [rule('tools', tools, 'a list of tool references')];
  const problems: string[] = [];
  const seen = new Set<unknown>();
  for (const tool of tools as readonly (Partial<AgentToolRef> | undefined)[]) {
    const name: unknown = tool?.name;
    if (typeof name !== 'string' || !TOOL_NAME.test(name)) {
      problems.push(
        rule(
          'tool name',
          name,
          `1 to 64 letters, digits, "_" or "-" (the model's API refuses anything else)`,
        ),
      );
    } else if (seen.has(name)) {
      problems.push(`tool "${name}" is declared twice; give one of them another name.`);
    } else if (!tool?.graph || !tool.toolDefinition) {
      problems.push(
        `tool "${name}" is no tool reference; add it by its name, or make it with toolRef(name).`,
      );
    }
    seen.add(name);
  }
  return problems;
}

function flag(field: string, value: unknown): string | undefined {
  return typeof value === 'boolean' ? undefined : rule(field, value, 'true or false');
}

function text(field: string, value: unknown, example: string): string | undefined {
  return typeof value === 'string' && value.trim() !== ''
    ? undefined
    : rule(field, value, `set to ${example}`);
}

function whole(
  field: string,
  value: unknown,
  least: number,
  most = Number.MAX_SAFE_INTEGER,
): string | undefined {
  if (Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most) return undefined;
  const limits = most === Number.MAX_SAFE_INTEGER ? `>= ${least}` : `from ${least} to ${most}`;
  return rule(field, value, `a whole number ${limits}`);
}

function optional<T>(
  value: T | null | undefined,
  check: (value: T) => string | undefined,
): string | undefined {
  return value === null || value === undefined ? undefined : check(value);
}
