import { isEqual } from './equality.js';
import type { Evaluation } from './evaluation.js';
import { joinTexts, textOf } from './text.js';
import { isTruthy, toValue } from './values.js';

/** An expression, compiled. */
export type Thunk = (evaluation: Evaluation) => unknown;

/** An operator, access or method call, compiled: takes the value it stands behind. */
export type Link = (evaluation: Evaluation, operand: unknown) => unknown;

export const NOTHING: Thunk = () => null;

/** A value and what is done to it, in that order: a loop, as a chain may have any number of links. */
export function chain(head: Thunk, links: readonly Link[]): Thunk {
  const [first] = links;
  if (first === undefined) return head;
  if (links.length === 1) {
    return (evaluation) => {
      evaluation.spend(1);
      return first(evaluation, head(evaluation));
    };
  }
  return (evaluation) => {
    evaluation.spend(links.length);
    let value = head(evaluation);
    for (const link of links) value = link(evaluation, value);
    return value;
  };
}

export function variable(name: string): Thunk {
  return (evaluation) => toValue(evaluation.scope.variables[name], evaluation);
}

export function functionCall(name: string, args: readonly Thunk[]): Thunk {
  return (evaluation) => {
    evaluation.spend(1);
    const { functions } = evaluation.scope;
    return toValue(functions?.[name]?.(...valuesOf(args, evaluation)), evaluation);
  };
}

export function valuesOf(thunks: readonly Thunk[], evaluation: Evaluation): unknown[] {
  return thunks.map((thunk) => thunk(evaluation));
}

export function list(items: readonly Thunk[]): Thunk {
  return (evaluation) => {
    evaluation.spend(items.length);
    return valuesOf(items, evaluation);
  };
}

export function record(entries: readonly (readonly [string, Thunk])[]): Thunk {
  return (evaluation) => {
    evaluation.spend(entries.length);
    const fields: Record<string, unknown> = {};
    for (const [name, value] of entries) fields[name] = value(evaluation);
    return fields;
  };
}

export function template(parts: readonly (string | Thunk)[]): Thunk {
  return (evaluation) => {
    evaluation.spend(parts.length);
    const texts = parts.map((part) =>
      typeof part === 'string' ? part : textOf(part(evaluation), evaluation),
    );
    return joinTexts(texts, '', evaluation);
  };
}

/** The value of the first arm whose test holds. */
export function conditional(arms: readonly (readonly [Thunk, Thunk])[], otherwise: Thunk): Thunk {
  return (evaluation) => {
    for (const [test, value] of arms) {
      evaluation.spend(1);
      if (isTruthy(test(evaluation))) return value(evaluation);
    }
    return otherwise(evaluation);
  };
}

/** The value of the first branch whose pattern equals the subject. */
export function match(
  subject: Thunk,
  branches: readonly (readonly [Thunk, Thunk])[],
  otherwise: Thunk,
): Thunk {
  return (evaluation) => {
    const wanted = subject(evaluation);
    for (const [pattern, value] of branches) {
      evaluation.spend(1);
      if (isEqual(wanted, pattern(evaluation), evaluation)) return value(evaluation);
    }
    return otherwise(evaluation);
  };
}
