import { methodSignature, METHOD_NAMES } from '../evaluation/methods.js';
import type { MethodSignature } from '../evaluation/method.js';
import { isForbiddenName } from '../evaluation/values.js';
import type { ExpressionPlace } from '../expression-place.js';
import { children } from '../parsing/tree-height.js';
import { quoted } from '../parsing/quoted.js';
import type { CallNode, ExpressionNode, NameNode, ObjectNode, VariableNode } from '../syntax-tree.js';
import { FirstNamed } from './first-named.js';
import type { Problems } from './problems.js';
import { listed, suggestion } from './suggestion.js';
import { tellNeverTrue, type KnownTools } from './tool-mentions.js';
import { refuse, tellToolArgs } from './value-readers.js';

/** Checks the names and calls of an expression. What the parser could not read is passed over. */
export function checkExpression(
  node: ExpressionNode,
  place: ExpressionPlace,
  problems: Problems,
  tools: KnownTools = null,
): void {
  new ExpressionChecks(place, problems, tools).check(node, []);
}

class ExpressionChecks {
  readonly #place: ExpressionPlace;
  readonly #problems: Problems;
  readonly #tools: KnownTools;

  constructor(place: ExpressionPlace, problems: Problems, tools: KnownTools) {
    this.#place = place;
    this.#problems = problems;
    this.#tools = tools;
  }

  /** @param parameters of the lambdas around it */
  check(node: ExpressionNode, parameters: readonly string[]): void {
    switch (node.kind) {
      case 'variable':
        return this.#variable(node, parameters);
      case 'call':
        return this.#call(node, parameters);
      case 'lambda':
        return this.check(node.body, [...parameters, node.parameter.text]);
      case 'member':
        checkName(node.property, this.#problems);
        break;
      case 'index':
        if (node.index.kind === 'literal' && typeof node.index.value === 'string')
          checkName({ text: node.index.value, span: node.index.span }, this.#problems);
        break;
      case 'object':
        checkKeys(node, this.#problems);
        break;
      default:
    }
    if (this.#place.functions.includes('tool_call')) tellNeverTrue(node, this.#tools, this.#problems);
    for (const child of children(node)) this.check(child, parameters);
  }

  #variable({ name, span }: VariableNode, parameters: readonly string[]): void {
    const { name: place, variables, functions } = this.#place;
    if (variables.includes(name) || parameters.includes(name)) return;
    if (name === 'tool_args') return tellToolArgs({ span }, place, this.#problems);
    const known = [...parameters, ...variables];
    let hint = suggestion(
      this.#problems.nearest(name, known),
      `${place} knows ${listed([...known, ...functions.map(asCall)])}`,
    );
    if (functions.includes(name)) hint = `it is a function: write ${asCall(name)}`;
    if (this.#tools?.includes(name)) hint = `names of tools stand in quotes: "${name}"`;
    this.#problems.error('unknown-variable', span, `${quoted(name)} is not known in ${place}.`, { hint });
  }

  #call(node: CallNode, parameters: readonly string[]): void {
    const { callee } = node;
    if (callee.kind === 'member') {
      this.#method(callee.property, node);
      this.check(callee.object, parameters);
    } else if (callee.kind === 'variable') this.#function(callee, node);
    else if (callee.kind !== 'broken') {
      this.#problems.error('not-callable', callee.span, 'Only a method or a function can be called.', {
        hint: 'methods are called on a value, as in content.contains("…")',
      });
      this.check(callee, parameters);
    }
    for (const argument of node.arguments) this.check(argument, parameters);
  }

  #function({ name, span }: VariableNode, call: CallNode): void {
    const { functions, name: place } = this.#place;
    if (!functions.includes(name)) {
      const isMethod = methodSignature(name) !== undefined;
      const rest =
        functions.length === 0 ? `${place} has no functions` : `there is ${listed(functions.map(asCall))}`;
      const hint =
        name === 'tool_call'
          ? 'it is known in exit_condition only'
          : suggestion(
              this.#problems.nearest(name, functions),
              isMethod ? `it is a method: write value.${name}(…)` : rest,
            );
      this.#problems.error('unknown-function', span, `${quoted(name)} is no function of ${place}.`, { hint });
      return;
    }
    const signature = { minArguments: 1, maxArguments: 1, lambda: 'never' } as const;
    if (!this.#fits({ text: name, span }, signature, call)) return;
    const [tool] = call.arguments;
    if (tool?.kind === 'literal' && typeof tool.value !== 'string')
      refuse(tool, asCall(name), this.#problems, { must: 'have the name of a tool, in quotes' });
    else tellNeverTrue(call, this.#tools, this.#problems);
  }

  #method(property: NameNode, call: CallNode): void {
    const signature = methodSignature(property.text);
    if (signature) this.#fits(property, signature, call);
    else {
      const hint = suggestion(
        this.#problems.nearest(property.text, METHOD_NAMES),
        `the methods are ${METHOD_NAMES.join(', ')}`,
      );
      this.#problems.error('unknown-method', property.span, `${quoted(property.text)} is no method.`, {
        hint,
      });
    }
  }

  #fits({ text: name, span }: NameNode, signature: MethodSignature, call: CallNode): boolean {
    const given = call.arguments;
    const { minArguments: least, maxArguments: most, lambda } = signature;
    if (given.length < least || given.length > most) {
      if (!this.#problems.isWhole(call.span)) return false;
      const count = least === most ? counted(least) : `${least} to ${counted(most)}`;
      const message = `"${name}" takes ${count}, but has ${given.length}.`;
      this.#problems.error('wrong-argument-count', span, message, hintOf(lambda, name));
      return false;
    }
    const misplaced = given.find(
      (argument, index) => argument.kind === 'lambda' && (lambda === 'never' || index > 0),
    );
    if (misplaced) {
      this.#problems.error('unexpected-lambda', misplaced.span, `"${name}" takes no lambda.`, {
        hint: 'give a value',
      });
      return false;
    }
    const [first] = given;
    if (lambda === 'never' || !first || first.kind === 'lambda' || first.kind === 'broken') return true;
    const message = `"${name}" takes a lambda, not a value.`;
    this.#problems.error('expected-lambda', first.span, message, hintOf(lambda, name));
    return false;
  }
}

function asCall(name: string): string {
  return `${name}(name)`;
}

function hintOf(lambda: MethodSignature['lambda'], name: string): { readonly hint?: string } {
  return lambda === 'never' ? {} : { hint: `write ${name}(item -> …)` };
}

function counted(count: number): string {
  if (count === 0) return 'no argument';
  return count === 1 ? '1 argument' : `${count} arguments`;
}

/** Tells of names that are never read nor written. */
export function checkName({ text, span }: NameNode, problems: Problems): void {
  if (!isForbiddenName(text)) return;
  problems.error('forbidden-name', span, `"${text}" cannot be the name of a field: it is always null.`, {
    hint: 'give the field another name',
  });
}

/** Tells of forbidden keys and of those that are given twice. */
function checkKeys({ entries }: ObjectNode, problems: Problems): void {
  const keys = new FirstNamed('duplicate-key', 'The key');
  for (const { key } of entries) {
    checkName(key, problems);
    keys.add(key, problems);
  }
}
