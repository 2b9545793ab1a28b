import type { MetadataStorage } from 'class-validator';

export type ValidatorMetadata = ReturnType<MetadataStorage['getTargetValidationMetadatas']>[number];

/** Every copy of class-validator keeps its metadata here, so asking loads nothing. */
const shared = globalThis as { readonly classValidatorMetadataStorage?: MetadataStorage };

/** What class-validator checks on a class, inherited rules included: asked for exactly as its `validate` asks. */
export function validatorsOf(type: Function): readonly ValidatorMetadata[] {
  return shared.classValidatorMetadataStorage?.getTargetValidationMetadatas(type, '', false, false) ?? [];
}
