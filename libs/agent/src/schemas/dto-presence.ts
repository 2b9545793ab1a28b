import type { DtoField } from './dto-field.js';

export interface DtoIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** The fields of every class a DTO reaches. */
export type DtoFields = ReadonlyMap<unknown, readonly DtoField[]>;

/**
 * What `@ValidateNested` lets pass and the schema forbids: a nested value that is missing, an array for one object,
 * an object for an array. Looks at what class-validator has found valid.
 */
export function presenceIssues(
  instance: object,
  fields: DtoFields,
  path: readonly PropertyKey[],
): DtoIssue[] {
  const own = fields.get(instance.constructor) ?? [];
  return own
    .filter(({ nested, conditional }) => nested && !conditional)
    .flatMap((field) => {
      const value: unknown = Reflect.get(instance, field.property);
      const at = [...path, field.inputName];
      if (value === undefined) return field.required ? [{ path: at, message: 'is required' }] : [];
      if (field.shape === 'one') return oneIssues(value, fields, at);
      const items = itemsOf(value);
      if (!items && value !== null) return [{ path: at, message: 'must be an array' }];
      return [...(items ?? [])].flatMap(([key, item]) => oneIssues(item, fields, [...at, key]));
    });
}

function oneIssues(value: unknown, fields: DtoFields, path: readonly PropertyKey[]): DtoIssue[] {
  if (Array.isArray(value)) return [{ path, message: 'must be one object, not an array' }];
  return typeof value === 'object' && value !== null ? presenceIssues(value, fields, path) : [];
}

function itemsOf(value: unknown): Iterable<[PropertyKey, unknown]> | undefined {
  if (Array.isArray(value)) return value.entries();
  if (value instanceof Set) return [...value].entries();
  return value instanceof Map ? (value as Map<string, unknown>) : undefined;
}
