import { createRequire } from 'node:module';
import type { ErrorObject, Options, ValidateFunction } from 'ajv';
import { InvalidSchemaException } from '../errors/invalid-schema.exception.js';
import type { InputIssue, InputValidation } from './input-schema.js';
import { failedValidation, issuePath } from './issue-list.js';
import type { JsonSchema } from './json-schema.js';
import { isSupportedPattern, linearRegExp, UnsupportedPatternError } from './linear-reg-exp.js';
import { pointerSegment } from './local-ref.js';
import { thrownMessage } from './tool-error.js';

type Draft = '2020-12' | 'draft-07';
type Check = (value: unknown) => InputValidation;

// The validator costs 35 ms to load: applications without JSON Schemas should not pay for it.
const require = createRequire(import.meta.url);

const OPTIONS: Options = {
  strict: false,
  allErrors: true,
  useDefaults: true,
  meta: false,
  validateSchema: false,
  validateFormats: false,
  logger: false,
  code: { regExp: Object.assign((pattern: string) => linearRegExp(pattern), { code: 'linearRegExp' }) },
};

/**
 * Makes the check of a JSON Schema. Types are not coerced, defaults are filled in, `format` is not checked.
 * @param declared the `$schema` it came with; drafts 4 to 7 are read as draft 7, all else as 2020-12. Without one, as
 * 2020-12 and, if that fails, as draft 7.
 * @throws InvalidSchemaException if a keyword or reference is wrong, or a pattern needs look-around.
 */
export function jsonSchemaCheck(schema: JsonSchema, declared: unknown, where: string): Check {
  const [first, ...others] = draftsOf(declared);
  try {
    return toCheck(compile(schema, first));
  } catch (cause) {
    for (const draft of others) {
      const validate = tryCompile(schema, draft);
      if (validate) return toCheck(validate);
    }
    throw invalidSchema(cause, where);
  }
}

/**
 * As `jsonSchemaCheck`, for schemas that others wrote and others enforce too (tools of remote servers): patterns
 * that cannot run here are not checked, and of a schema that cannot be compiled only the root's type is.
 */
export function lenientJsonSchemaCheck(schema: JsonSchema, declared: unknown): Check {
  const checkable = withoutUnsupportedPatterns(schema);
  for (const draft of draftsOf(declared)) {
    const validate = tryCompile(checkable, draft);
    if (validate) return toCheck(validate);
  }
  return toCheck(compile({ type: 'object' }, '2020-12'));
}

function draftsOf(declared: unknown): readonly [Draft, ...Draft[]] {
  if (typeof declared !== 'string') return ['2020-12', 'draft-07'];
  return declared.includes('draft-0') ? ['draft-07'] : ['2020-12'];
}

/** A new Ajv each time: one instance refuses a second schema with the same `$id` and keeps every schema for ever. */
function compile(schema: JsonSchema, draft: Draft): ValidateFunction {
  if (draft === 'draft-07') return new (require('ajv') as typeof import('ajv')).Ajv(OPTIONS).compile(schema);
  const { Ajv2020 } = require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
  return new Ajv2020(OPTIONS).compile(schema);
}

function tryCompile(schema: JsonSchema, draft: Draft): ValidateFunction | undefined {
  try {
    return compile(schema, draft);
  } catch {
    return undefined;
  }
}

function invalidSchema(cause: unknown, where: string): InvalidSchemaException {
  const remedy =
    cause instanceof UnsupportedPatternError
      ? 'Write it without look-around and back-references, or check it in the operator.'
      : 'Correct the JSON Schema (draft 7 with its $schema, or 2020-12).';
  return new InvalidSchemaException({
    where,
    problem: thrownMessage(cause).replace(/\.$/, ''),
    remedy,
    cause,
  });
}

function withoutUnsupportedPatterns(schema: JsonSchema): JsonSchema {
  const isUnsupported = (pattern: string): boolean => !isSupportedPattern(pattern);
  const text = JSON.stringify(schema, function (this: Record<string, unknown>, key: string, value: unknown) {
    if (key === 'pattern' && typeof value === 'string') return isUnsupported(value) ? undefined : value;
    // What additionalProperties refuses depends on every pattern.
    const isKeyRule = key === 'patternProperties' || key === 'additionalProperties';
    const patterns = isKeyRule ? Object.keys(this['patternProperties'] ?? {}) : [];
    return patterns.some(isUnsupported) ? undefined : value;
  });
  return JSON.parse(text) as JsonSchema;
}

function toCheck(validate: ValidateFunction): Check {
  return (value) =>
    validate(value) ? { ok: true, value } : failedValidation((validate.errors ?? []).map(toIssue));
}

function toIssue({ instancePath, keyword, message = 'is invalid', params }: ErrorObject): InputIssue {
  const segments = instancePath.split('/').slice(1).map(pointerSegment);
  const at = (...more: string[]): string => issuePath([...segments.map(indexOrName), ...more]);
  switch (keyword) {
    case 'required':
      return { path: at(String(params['missingProperty'])), message: 'is required' };
    case 'additionalProperties':
      return { path: at(String(params['additionalProperty'])), message: 'is not a known property' };
    case 'unevaluatedProperties':
      return { path: at(String(params['unevaluatedProperty'])), message: 'is not a known property' };
    case 'enum':
      return { path: at(), message: `must be one of ${JSON.stringify(params['allowedValues'])}` };
    case 'const':
      return { path: at(), message: `must be ${JSON.stringify(params['allowedValue'])}` };
    default:
      return { path: at(), message };
  }
}

function indexOrName(segment: string): PropertyKey {
  return /^\d+$/.test(segment) ? Number(segment) : segment;
}
