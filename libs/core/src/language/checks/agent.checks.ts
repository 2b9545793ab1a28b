import { EXIT_CONDITION, SYSTEM_PROMPT } from '../expression-place.js';
import { quoted } from '../parsing/quoted.js';
import type { AgentNode, AssignmentNode, ExpressionNode } from '../syntax-tree.js';
import { AGENT_PROPERTIES, isAgentProperty } from '../property-names.js';
import { isFixedProperty, READERS, type FixedProperties } from './agent-properties.js';
import type { CheckedAgent, CheckedTool } from './checked-file.js';
import { constantOf } from './constant.js';
import { checkExpression } from './expression.checks.js';
import { FirstNamed } from './first-named.js';
import { toolOperators, type OperatorCatalog } from './operator-catalog.js';
import type { Problems } from './problems.js';
import { suggestion } from './suggestion.js';
import { checkTool, isGiven } from './tool.checks.js';
import type { KnownTools } from './tool-mentions.js';
import { refuse } from './value-readers.js';

/** Checks an agent and reads its values. @param operators null: names of operators are not judged. */
export function checkAgent(
  node: AgentNode,
  operators: OperatorCatalog | null,
  problems: Problems,
): CheckedAgent {
  return new AgentChecks(node, operators, problems).check();
}

class AgentChecks {
  readonly #node: AgentNode;
  readonly #operators: OperatorCatalog | null;
  readonly #problems: Problems;
  readonly #given = new Map<string, AssignmentNode>();

  constructor(node: AgentNode, operators: OperatorCatalog | null, problems: Problems) {
    this.#node = node;
    this.#operators = operators && othersOf(operators, node.name.text);
    this.#problems = problems;
  }

  check(): CheckedAgent {
    const { name } = this.#node;
    if (isGiven(name.span) && name.text.trim() === '')
      this.#problems.error('invalid-agent-name', name.span, 'The name of an agent cannot be empty.');
    this.#collect();
    const fixed = this.#fixed();
    this.#checkStreaming(fixed);
    const tools = this.#tools();
    return {
      node: this.#node,
      fixed,
      systemPrompt: this.#within('system_prompt', (given) => this.#systemPrompt(given)),
      exitCondition: this.#within('exit_condition', (given) => this.#exitCondition(given, fixed)),
      tools,
    };
  }

  /** The properties by their names; those that do not exist or come twice are told. */
  #collect(): void {
    const properties = new FirstNamed('duplicate-property', 'The property');
    let hasModel = false;
    for (const item of this.#node.body) {
      if (item.kind === 'tool') continue;
      const { text, span } = item.key;
      if (isAgentProperty(text)) {
        if (properties.add(item.key, this.#problems)) this.#given.set(text, item);
      } else {
        const meant = this.#problems.nearest(text, AGENT_PROPERTIES);
        const hint = suggestion(meant, remedyFor(text));
        this.#problems.error('unknown-property', span, `${quoted(text)} is no property of an agent.`, {
          hint,
        });
        hasModel ||= meant === 'model';
      }
    }
    if (hasModel || this.#given.has('model') || !this.#problems.isWhole(this.#node.span)) return;
    this.#problems.error(
      'missing-model',
      this.#node.name.span,
      `The agent ${quoted(this.#node.name.text)} has no model.`,
      {
        hint: 'add model = "gpt-4o-mini", or "default" for the configured one',
      },
    );
  }

  #fixed(): Partial<FixedProperties> {
    const fixed: Record<string, unknown> = {};
    for (const [name, { value, span }] of this.#given) {
      if (!isFixedProperty(name)) continue;
      fixed[name] = this.#problems.within(span, () => READERS[name](value, name, this.#problems));
    }
    return fixed;
  }

  #checkStreaming({ streaming }: Partial<FixedProperties>): void {
    const given = this.#given.get('streaming');
    if (!this.#node.streaming || streaming !== false || !given) return;
    const { start } = this.#node.span;
    this.#problems.error('contradiction', given.span, 'A "stream agent" cannot have streaming = false.', {
      hint: 'remove one of them',
      related: [{ message: 'declared as streaming here', span: { start, end: start + 'stream'.length } }],
    });
  }

  #within<T>(property: string, read: (given: AssignmentNode) => T): T | undefined {
    const given = this.#given.get(property);
    return given && this.#problems.within(given.span, () => read(given));
  }

  #systemPrompt(given: AssignmentNode): string | ExpressionNode | null | undefined {
    const constant = constantOf(given.value);
    if (typeof constant === 'string' || constant === null) return constant;
    if (constant !== undefined || given.value.kind === 'array' || given.value.kind === 'object') {
      const must = 'be a text, or an expression over ctx that gives one';
      return refuse(given.value, 'system_prompt', this.#problems, { must });
    }
    checkExpression(given.value, SYSTEM_PROMPT, this.#problems);
    return given.value;
  }

  #exitCondition(
    { value }: AssignmentNode,
    { tools }: Partial<FixedProperties>,
  ): ExpressionNode | null | undefined {
    const constant = constantOf(value);
    if (constant === null) return null;
    if (constant !== undefined) {
      const effect =
        constant === false || constant === 0
          ? 'never true'
          : 'always true: the agent ends after its first tools';
      this.#problems.warning('constant-condition', value.span, `This exit_condition is ${effect}.`, {
        hint: 'compare it with something, as in finish_reason == "stop"',
      });
    }
    checkExpression(value, EXIT_CONDITION, this.#problems, this.#knownTools(tools === 'all'));
    return value;
  }

  #tools(): CheckedTool[] {
    const names = new FirstNamed('duplicate-tool', 'The tool');
    return this.#node.body
      .filter((item) => item.kind === 'tool')
      .map((tool) => {
        if (isGiven(tool.name.span)) names.add(tool.name, this.#problems);
        return checkTool(tool, this.#operators, this.#problems);
      });
  }

  #knownTools(all: boolean): KnownTools {
    const operators = this.#operators;
    if (!this.#problems.isWhole(this.#node.span) || (all && !operators)) return null;
    const declared = this.#node.body.flatMap((item) => (item.kind === 'tool' ? [item.name.text] : []));
    return all && operators ? [...declared, ...toolOperators(operators)] : declared;
  }
}

/** The operators without the agent itself among the names: it is registered under its own, and no remedy. */
function othersOf(operators: OperatorCatalog, agent: string): OperatorCatalog {
  return {
    has: (name) => operators.has(name),
    names: () => operators.names().filter((name) => name !== agent),
    metadata: (name) => operators.metadata(name),
  };
}

function remedyFor(property: string): string {
  if (property === 'description') return 'a comment /// before the agent describes it';
  return `an agent has ${AGENT_PROPERTIES.join(', ')}`;
}
