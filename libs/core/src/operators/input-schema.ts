import type { JsonSchema } from './json-schema.js';

export interface InputIssue {
  /** Where, e.g. `items[2].price`; empty for the whole value. */
  readonly path: string;
  readonly message: string;
}

export type InputValidation =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly issues: readonly InputIssue[] };

/** A schema made ready at definition time: its JSON form for the model, and a validator for what the model sends. */
export interface InputSchema {
  readonly jsonSchema: JsonSchema;
  /** True if nobody has tried whether a check can be made of it: the checks of the agent language then do. */
  readonly unchecked?: true;
  /** Gives the value the operator gets (defaults filled in, transforms applied). Never throws for bad input. */
  validate(value: unknown): InputValidation | Promise<InputValidation>;
  /** Only looks at a value, for an operator that validates by itself when it is called. Default: `validate`. */
  check?(value: unknown): InputValidation | Promise<InputValidation>;
}
