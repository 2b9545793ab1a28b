import type { MetadataStorage } from 'class-validator';

/** A class whose properties carry class-validator decorators. It must be constructible without arguments. */
export type DtoClass = new () => object;

export type ValidatorMetadata = ReturnType<MetadataStorage['getTargetValidationMetadatas']>[number];

/** Every copy of class-validator keeps its metadata here, so asking loads nothing. */
const shared = globalThis as { readonly classValidatorMetadataStorage?: MetadataStorage };

/** True for a class with class-validator decorators, its own or inherited. Loads no package. */
export function isDtoClass(type: unknown): type is DtoClass {
  return typeof type === 'function' && validatorsOf(type).length > 0;
}

/** What class-validator checks on a class, inherited rules included: asked for exactly as its `validate` asks. */
export function validatorsOf(type: Function): readonly ValidatorMetadata[] {
  return shared.classValidatorMetadataStorage?.getTargetValidationMetadatas(type, '', false, false) ?? [];
}
