import 'reflect-metadata';
import type { TypeMetadata } from 'class-transformer';
import type { JsonSchema } from '@nestor/core';
import { apiPropertyOf, type ApiProperty } from './api-property.js';
import type { DtoClass } from './dto-class.js';
import type { DtoPackages } from './dto-packages.js';
import { mergeKeywords } from './merge-keywords.js';
import { validatorKeywords } from './validator-keywords.js';
import { validatorsOf, type ValidatorMetadata } from './validator-metadata.js';

/** What the decorators of one property say, read once. */
export interface DtoField {
  readonly property: string;
  /** The key in the model's arguments: `@Expose({ name })` may rename it. */
  readonly inputName: string;
  readonly shape: 'one' | 'list' | 'map';
  readonly required: boolean;
  /** A null is a value of its own here, not "not given". */
  readonly nullable: boolean;
  /** `@ValidateIf` decides at each call whether anything is checked. */
  readonly conditional: boolean;
  /** Whether `@ValidateNested` stands on it. */
  readonly nested: boolean;
  readonly transformed: boolean;
  /** What the validators of the value itself say, and those of its items. */
  readonly own: Readonly<Record<string, unknown>>;
  readonly each: Readonly<Record<string, unknown>>;
  readonly checksItems: boolean;
  readonly needsDate: boolean;
  /** `@Type`, if it is there. */
  readonly typed: TypeMetadata | undefined;
  /** The type TypeScript emitted. */
  readonly reflected: unknown;
  readonly api: ApiProperty;
}

const DATE_VALIDATORS: ReadonlySet<unknown> = new Set(['isDate', 'minDate', 'maxDate']);

/**
 * The properties a DTO class takes, in the order of their decorators.
 * @param defaults an instance made of nothing: what it holds need not be sent.
 */
export function dtoFields(type: DtoClass, packages: DtoPackages, defaults: object): DtoField[] {
  const byProperty = new Map<string, ValidatorMetadata[]>();
  for (const rule of validatorsOf(type)) {
    const rules = byProperty.get(rule.propertyName);
    if (rules) rules.push(rule);
    else byProperty.set(rule.propertyName, [rule]);
  }
  return [...byProperty].flatMap(([property, validators]) => {
    const inputName = inputNameOf(type, property, packages);
    if (inputName === undefined) return [];
    const hasDefault = Reflect.get(defaults, property) !== undefined;
    return [fieldOf(type, property, inputName, validators, packages, hasDefault)];
  });
}

/** The key a property is filled from; `undefined` if class-transformer never fills it. */
function inputNameOf(
  type: DtoClass,
  property: string,
  { transformer, toClass }: DtoPackages,
): string | undefined {
  if (transformer.getExcludedProperties(type, toClass).includes(property)) return undefined;
  const isExposed = transformer.getExposedProperties(type, toClass).includes(property);
  if (!isExposed && transformer.getStrategy(type) === 'excludeAll') return undefined;
  const { name, groups } = transformer.findExposeMetadata(type, property)?.options ?? {};
  return groups && groups.length > 0 ? undefined : (name ?? property);
}

function fieldOf(
  type: DtoClass,
  property: string,
  inputName: string,
  validators: readonly ValidatorMetadata[],
  { transformer, toClass }: DtoPackages,
  hasDefault: boolean,
): DtoField {
  // One with a condition of its own may be skipped, so it promises nothing.
  const rules = validators.filter(
    ({ type: kind, validateIf }) =>
      kind !== 'conditionalValidation' && kind !== 'whitelistValidation' && !validateIf,
  );
  const each = rules.filter((rule) => rule.each);
  const own = keywordsOf(rules.filter((rule) => !rule.each));
  const api = apiPropertyOf(type, property);
  const conditions = conditionsOf(validators, type);
  const reflected: unknown = Reflect.getMetadata('design:type', type.prototype as object, property);
  return {
    property,
    inputName,
    shape: shapeOf(reflected, own, each.length > 0),
    required: rules.length > 0 && !hasDefault && conditions.every((one) => one === 'nullable'),
    nullable: api['nullable'] === true || conditions.includes('nullable'),
    conditional: conditions.includes('conditional'),
    nested: rules.some((rule) => rule.type === 'nestedValidation'),
    transformed: transformer.findTransformMetadatas(type, property, toClass).length > 0,
    own,
    each: keywordsOf(each),
    checksItems: each.length > 0,
    needsDate: rules.some(({ name }) => DATE_VALIDATORS.has(name)),
    typed: transformer.findTypeMetadata(type, property),
    reflected,
    api,
  };
}

function shapeOf(reflected: unknown, own: JsonSchema, checksItems: boolean): DtoField['shape'] {
  if (reflected === Map) return 'map';
  return checksItems || own['type'] === 'array' || reflected === Array || reflected === Set ? 'list' : 'one';
}

type Condition = 'optional' | 'nullable' | 'conditional';

/**
 * What the conditions of a property mean for a caller. `@ValidateIf((_, value) => value !== null)` lets null pass and
 * still asks for a value: it is told from the others by what it says of nothing and of null.
 */
function conditionsOf(validators: readonly ValidatorMetadata[], type: DtoClass): Condition[] {
  return validators
    .filter((rule) => rule.type === 'conditionalValidation')
    .map(({ name, constraints: [condition] }) => {
      if (name === 'isOptional') return 'optional';
      const decide = (value: unknown): boolean => applies(condition, Object.create(type.prototype), value);
      return decide(undefined) && !decide(null) ? 'nullable' : 'conditional';
    });
}

function applies(condition: unknown, instance: unknown, value: unknown): boolean {
  try {
    return Boolean((condition as (...args: unknown[]) => unknown)(instance, value));
  } catch {
    return false;
  }
}

function keywordsOf(rules: readonly ValidatorMetadata[]): Record<string, unknown> {
  return mergeKeywords(rules.map(({ name, constraints }) => validatorKeywords(name, constraints)));
}
