import { validatorsOf } from './validator-metadata.js';

/** A class whose properties carry class-validator decorators. It must be constructible without arguments. */
export type DtoClass = new () => object;

/** True for a class with class-validator decorators, its own or inherited. Loads no package. */
export function isDtoClass(type: unknown): type is DtoClass {
  return typeof type === 'function' && validatorsOf(type).length > 0;
}
