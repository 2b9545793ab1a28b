import type { JsonSchema } from '../../operators/json-schema.js';

/** What the checks ask about operators. An `OperatorRegistry` is one. */
export interface OperatorCatalog {
  has(name: string): boolean;
  names(): readonly string[];
  /** Asked for names that `has` knows. */
  metadata(name: string): {
    /** `model` operators are no tools. */
    readonly kind: 'tool' | 'model' | 'agent';
    /** null: the operator does not describe its input. */
    readonly input: { readonly jsonSchema: JsonSchema; readonly unchecked?: true } | null;
  };
}

/** Names of the operators that can be tools. */
export function toolOperators(operators: OperatorCatalog): string[] {
  return operators.names().filter((name) => operators.metadata(name).kind !== 'model');
}
