import type { JsonSchema, OperatorMetadata } from '@nestor/core';

/** An operator in the shape of `operator-metadata.json`: as the model is told of it, and the rules for calling it. */
export interface OperatorDescription {
  readonly name: string;
  readonly description: string;
  /** `agent`: another agent of the application. */
  readonly kind: OperatorMetadata['kind'];
  readonly parameters: JsonSchema | null;
  readonly output: JsonSchema | null;
  readonly promptHint?: string | undefined;
  readonly usageExample?: string | undefined;
  readonly constraintsDescription?: string | undefined;
  readonly tags: readonly string[];
  readonly owner?: string | undefined;
  readonly effect: OperatorMetadata['effect'];
  /** `conditional`: it depends on the call. */
  readonly approval: boolean | 'conditional';
  readonly timeout?: number | undefined;
}

export function describeOperator(metadata: OperatorMetadata): OperatorDescription {
  const { input, output, approval, retry: _retry, visible: _visible, ...rest } = metadata;
  return {
    ...rest,
    parameters: input?.jsonSchema ?? null,
    output: output?.jsonSchema ?? null,
    approval: typeof approval === 'function' ? 'conditional' : approval,
  };
}
