import { InvalidSchemaException, thrownMessage, type JsonSchema } from '@nestor/core';
import { declaredType, documented } from './api-property.js';
import { isDtoClass, type DtoClass } from './dto-class.js';
import { dtoFields, type DtoField } from './dto-field.js';
import type { DtoPackages } from './dto-packages.js';

type Discriminator = NonNullable<NonNullable<DtoField['typed']>['options']['discriminator']>;
type Place = { readonly type: DtoClass; readonly field: DtoField; readonly path: string };

const SCALARS: ReadonlyMap<unknown, JsonSchema> = new Map<unknown, JsonSchema>([
  [String, { type: 'string' }],
  [Number, { type: 'number' }],
  [Boolean, { type: 'boolean' }],
  [Date, { type: 'string', format: 'date-time' }],
]);
const NO_CLASSES: ReadonlySet<unknown> = new Set([undefined, Object, Array, Set, Map]);

/** Writes DTO classes as JSON Schema. Classes are told apart by themselves, never by their names. */
export class DtoSchemaWriter {
  /** The fields of every class met. */
  readonly fields = new Map<DtoClass, readonly DtoField[]>();
  readonly #packages: DtoPackages;
  readonly #where: string;
  readonly #open = new Set<DtoClass>();
  readonly #bodies = new Map<DtoClass, JsonSchema>();
  readonly #names = new Map<DtoClass, string>();
  readonly #definitions: Record<string, JsonSchema> = {};

  constructor(packages: DtoPackages, where: string) {
    this.#packages = packages;
    this.#where = where;
  }

  /** @throws InvalidSchemaException naming class and field of what a model cannot be told. */
  write(type: DtoClass): JsonSchema {
    const body = this.#body(type, '');
    return this.#names.size > 0 ? { ...body, $defs: this.#definitions } : body;
  }

  /** In place, and by reference only for a class that contains itself: many models read references badly. */
  #classSchema(type: DtoClass, path: string): JsonSchema {
    if (this.#open.has(type)) return this.#reference(type);
    const body = this.#bodies.get(type) ?? this.#body(type, path);
    return this.#names.has(type) ? this.#reference(type) : body;
  }

  #reference(type: DtoClass): JsonSchema {
    let name = this.#names.get(type);
    if (name === undefined) {
      const base = type.name.replaceAll(/\W/g, '_') || 'Anonymous';
      const taken = new Set(this.#names.values());
      name = base;
      for (let count = 2; taken.has(name); count++) name = `${base}${count}`;
      this.#names.set(type, name);
    }
    return { $ref: `#/$defs/${name}` };
  }

  #body(type: DtoClass, path: string): JsonSchema {
    this.#open.add(type);
    const defaults = this.#instanceOfNothing(type);
    const fields = dtoFields(type, this.#packages, defaults);
    const properties: Record<string, JsonSchema> = {};
    for (const field of fields) {
      const at = path === '' ? field.inputName : `${path}.${field.inputName}`;
      const schema = this.#fieldSchema({ type, field, path: at });
      properties[field.inputName] = withDefault(documented(schema, field.api), defaults, field);
    }
    const required = fields.filter((field) => field.required).map(({ inputName }) => inputName);
    const body = { type: 'object', properties, ...(required.length > 0 && { required }) };
    this.#open.delete(type);
    this.fields.set(type, fields);
    this.#bodies.set(type, body);
    const name = this.#names.get(type);
    if (name !== undefined) this.#definitions[name] = body;
    return body;
  }

  #instanceOfNothing(type: DtoClass): object {
    try {
      Reflect.construct(type, []);
    } catch (cause) {
      throw new InvalidSchemaException({
        where: this.#where,
        problem: `the constructor of ${type.name} fails without arguments (${thrownMessage(cause)})`,
        remedy: 'Give it a constructor that needs none: its fields are filled afterwards.',
        cause,
      });
    }
    try {
      return this.#packages.plainToInstance(type, {});
    } catch {
      // A transform that needs a value: then nothing is known to be filled in.
      return {};
    }
  }

  #fieldSchema(place: Place): JsonSchema {
    const { field } = place;
    // A transform takes something else than the property holds: only the documentation can tell what.
    const declared = field.transformed ? declaredType(field.api) : undefined;
    const schema = declared ?? this.#shaped(place);
    return field.nullable ? { anyOf: [schema, { type: 'null' }] } : schema;
  }

  #shaped(place: Place): JsonSchema {
    const { field } = place;
    if (field.shape === 'one')
      return this.#valueSchema(place, field.own, field.typed ? undefined : field.reflected);
    const path = `${place.path}[]`;
    if (!field.checksItems && !field.typed && !field.nested) {
      throw this.#problem(
        place,
        `is ${field.shape === 'map' ? 'a map' : 'an array'} and nothing says of what`,
        'Add @ValidateNested({ each: true }) and @Type(() => ItemClass), or a validator of the items, e.g. @IsString({ each: true }).',
      );
    }
    const items = this.#valueSchema({ ...place, path }, field.each, undefined);
    return field.shape === 'map'
      ? ofItsType({ ...field.own, type: 'object', additionalProperties: items })
      : ofItsType({ ...field.own, type: 'array', items });
  }

  #valueSchema(place: Place, keywords: JsonSchema, reflected: unknown): JsonSchema {
    const { field } = place;
    const declared = field.typed ? typeGivenBy(field.typed) : reflected;
    if (field.typed && declared === undefined) {
      throw this.#problem(
        place,
        'has a @Type whose function gives no class',
        'Two files import each other: put both classes in one file, or break the circle.',
      );
    }
    if (field.nested) return this.#nestedSchema(place, declared);
    const scalar = SCALARS.get(declared);
    if (field.needsDate && !(field.typed && declared === Date)) this.#refuseDate(place);
    if (scalar) return ofItsType('type' in keywords ? keywords : { ...scalar, ...keywords });
    if (!NO_CLASSES.has(declared)) this.#refuseClass(place, declared, keywords);
    return ofItsType(keywords);
  }

  #refuseDate(place: Place): void {
    if (place.field.transformed) return;
    throw this.#problem(
      place,
      'must be a Date, which JSON cannot hold',
      'Add @Type(() => Date), or check the text with @IsISO8601().',
    );
  }

  /** A class that is not checked as one: its fields would reach the operator as the model sent them. */
  #refuseClass(place: Place, declared: unknown, keywords: JsonSchema): void {
    const { field } = place;
    const isText = 'type' in keywords && keywords['type'] !== 'object';
    if (typeof declared !== 'function' || (isText && !field.typed)) return;
    const each = field.shape === 'one' ? '' : '{ each: true }';
    const decorators = `@ValidateNested(${each}) and @Type(() => ${declared.name})`;
    throw this.#problem(
      place,
      `is of class ${declared.name}, whose fields are not checked`,
      isDtoClass(declared)
        ? `Add ${decorators}.`
        : `Decorate ${declared.name} with class-validator and add ${decorators}; ` +
            `or make it with @Transform and tell what comes in by @ApiProperty({ type: 'string' }).`,
    );
  }

  #nestedSchema(place: Place, declared: unknown): JsonSchema {
    const { field, path } = place;
    const { discriminator } = field.typed?.options ?? {};
    if (discriminator) return this.#alternatives(place, discriminator);
    if (!field.typed && !field.transformed) {
      const name = typeof declared === 'function' && declared !== Object ? declared.name : 'ItsClass';
      throw this.#problem(place, 'is nested and nothing says of what class', `Add @Type(() => ${name}).`);
    }
    this.#checkNested(place, declared);
    return this.#classSchema(declared, path);
  }

  #checkNested(place: Place, declared: unknown): asserts declared is DtoClass {
    if (isDtoClass(declared)) return;
    const name = typeof declared === 'function' ? declared.name : String(declared);
    throw this.#problem(
      place,
      `is nested of ${name}, on which class-validator finds no decorator, so that every value would be refused`,
      `Decorate the fields of ${name}, or name another class with @Type.`,
    );
  }

  #alternatives(place: Place, { property, subTypes }: Discriminator): JsonSchema {
    const branches = subTypes.map(({ value, name }) => {
      this.#checkNested(place, value);
      const schema = this.#classSchema(value, place.path);
      if ('$ref' in schema) return schema;
      const tag = { type: 'string', enum: [name] };
      const { properties, required = [] } = schema as { properties: object; required?: readonly string[] };
      return {
        ...schema,
        properties: { ...properties, [property]: tag },
        required: [...new Set([property, ...required])],
      };
    });
    return { anyOf: branches };
  }

  #problem({ type, field, path }: Place, problem: string, remedy: string): InvalidSchemaException {
    return new InvalidSchemaException({
      where: this.#where,
      path,
      problem: `${type.name}.${field.property} ${problem}`,
      remedy,
    });
  }
}

function typeGivenBy({ typeFunction, propertyName }: NonNullable<DtoField['typed']>): unknown {
  try {
    return typeFunction({ newObject: {}, object: {}, property: propertyName });
  } catch {
    return undefined;
  }
}

/** `@IsNotEmpty` may stand on anything and asks only texts for a length. */
function ofItsType(schema: JsonSchema): JsonSchema {
  const { minLength, ...rest } = schema;
  return minLength === undefined || [schema['type'] ?? 'string'].flat().includes('string') ? schema : rest;
}

function withDefault(schema: JsonSchema, defaults: object, { property }: DtoField): JsonSchema {
  const value: unknown = Reflect.get(defaults, property);
  return ['string', 'number', 'boolean'].includes(typeof value) ? { ...schema, default: value } : schema;
}
