import 'reflect-metadata';
import type { TypeMetadata } from 'class-transformer';
import type { JsonSchema } from '@nestor/core';
import { apiPropertyOf, type ApiProperty } from './api-property.js';
import { validatorsOf, type DtoClass, type ValidatorMetadata } from './dto-class.js';
import type { DtoPackages } from './dto-packages.js';
import { mergeKeywords } from './merge-keywords.js';
import { validatorKeywords } from './validator-keywords.js';

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
  const conditions = validators.filter((each) => each.type === 'conditionalValidation');
  const meaning = conditions.map((condition) => meaningOf(condition, type));
  // One with a condition of its own may be skipped, so it promises nothing.
  const rules = validators.filter(
    (rule) => !conditions.includes(rule) && rule.type !== 'whitelistValidation' && !rule.validateIf,
  );
  const own = rules.filter((rule) => !rule.each);
  const each = rules.filter((rule) => rule.each);
  const api = apiPropertyOf(type, property);
  const reflected: unknown = Reflect.getMetadata('design:type', type.prototype as object, property);
  const ownKeywords = keywordsOf(own);
  return {
    property,
    inputName,
    shape: shapeOf(reflected, ownKeywords, each.length > 0),
    required: rules.length > 0 && !hasDefault && meaning.every((one) => one === 'nullable'),
    nullable: api['nullable'] === true || meaning.includes('nullable'),
    conditional: meaning.includes('conditional'),
    nested: rules.some((rule) => rule.type === 'nestedValidation'),
    transformed: transformer.findTransformMetadatas(type, property, toClass).length > 0,
    own: ownKeywords,
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

/**
 * What a condition means for a caller. A `@ValidateIf((_, value) => value !== null)` lets null pass and still asks
 * for a value: it is told from the others by what it says of nothing and of null.
 */
function meaningOf(condition: ValidatorMetadata, type: DtoClass): 'optional' | 'nullable' | 'conditional' {
  if (condition.name === 'isOptional') return 'optional';
  const decide = (value: unknown): unknown => {
    try {
      return (condition.constraints[0] as (...args: unknown[]) => unknown)(
        Object.create(type.prototype),
        value,
      );
    } catch {
      return undefined;
    }
  };
  return decide(undefined) && !decide(null) ? 'nullable' : 'conditional';
}

function keywordsOf(rules: readonly ValidatorMetadata[]): Record<string, unknown> {
  return mergeKeywords(rules.map(({ name, constraints }) => validatorKeywords(name, constraints)));
}
