import type { Evaluation } from './evaluation.js';
import { LIST_METHODS } from './list-methods.js';
import type { Lambda, Method, MethodSignature, MethodTable } from './method.js';
import { BOOLEAN_METHODS, NUMBER_METHODS } from './number-methods.js';
import { OBJECT_METHODS } from './object-methods.js';
import { STRING_METHODS } from './string-methods.js';
import { isList, type List } from './values.js';

/** The methods of one name. Those of several types agree in their signature. */
export interface MethodGroup {
  readonly signature: MethodSignature;
  readonly string: Method<string> | undefined;
  readonly number: Method<number> | undefined;
  readonly boolean: Method<boolean> | undefined;
  readonly list: Method<List> | undefined;
  readonly object: Method<object> | undefined;
}

/** Every method there is. */
export const METHODS: ReadonlyMap<string, MethodGroup> = groupByName();

export const METHOD_NAMES: readonly string[] = [...METHODS.keys()];

/** What a call of a method may look like; undefined for a name that is no method. */
export function methodSignature(name: string): MethodSignature | undefined {
  return METHODS.get(name)?.signature;
}

/** Null where the receiver's type has no such method, and for null itself. */
export function callMethod(
  group: MethodGroup,
  receiver: unknown,
  args: readonly unknown[],
  evaluation: Evaluation,
  lambda: Lambda | null,
): unknown {
  switch (typeof receiver) {
    case 'string':
      return group.string?.run(receiver, args, evaluation, lambda) ?? null;
    case 'number':
      return group.number?.run(receiver, args, evaluation, lambda) ?? null;
    case 'boolean':
      return group.boolean?.run(receiver, args, evaluation, lambda) ?? null;
    case 'object':
      if (receiver === null) return null;
      if (isList(receiver)) return group.list?.run(receiver, args, evaluation, lambda) ?? null;
      return group.object?.run(receiver, args, evaluation, lambda) ?? null;
    default:
      return null;
  }
}

function groupByName(): ReadonlyMap<string, MethodGroup> {
  const groups = new Map<string, MethodGroup>();
  const tables = [STRING_METHODS, LIST_METHODS, OBJECT_METHODS, NUMBER_METHODS, BOOLEAN_METHODS];
  for (const table of tables) {
    for (const [name, { minArguments, maxArguments, lambda }] of Object.entries(table)) {
      const group = {
        signature: { minArguments, maxArguments, lambda },
        string: methodOf(STRING_METHODS, name),
        number: methodOf(NUMBER_METHODS, name),
        boolean: methodOf(BOOLEAN_METHODS, name),
        list: methodOf(LIST_METHODS, name),
        object: methodOf(OBJECT_METHODS, name),
      };
      groups.set(name, group);
    }
  }
  return groups;
}

/** Own ones only: every table has a `toString` from its prototype. */
function methodOf<R>(table: MethodTable<R>, name: string): Method<R> | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
