import type { JsonSchema } from '@nestor/core';

type Keywords = (constraints: readonly unknown[]) => JsonSchema;

const STRING = { type: 'string' };
const DATE = { type: 'string', format: 'date-time' };

/** Validators of texts that JSON Schema has no keyword for; class-validator's own spelling. */
const PLAIN_STRINGS =
  'isString isLocale isISO31661Alpha2 isISO31661Alpha3 isISO31661Numeric isCreditCard isLowercase isUppercase ' +
  'isCurrency isPassportNumber isMacAddress isTimeZone isISRC isEthereumAddress isBIC isBase32 isBase58 isBase64 ' +
  'isHash isEAN isVariableWidth isOctal isPhoneNumber isTaxId isJwt isByteLength isPort isMagnetURI isJson isIsin ' +
  'isDataURI isISO4217CurrencyCode isISO6391 isIdentityCard isISSN isFullWidth isIBAN notContains isHalfWidth ' +
  'isStrongPassword isRgbColor isMimeType isSemVer isMultibyte isMobilePhone isIsbn isHSL isPostalCode ' +
  'isBtcAddress IsFirebasePushId isDecimal isSurrogatePair isLatLong';

const KEYWORDS: ReadonlyMap<string, Keywords> = new Map(
  Object.entries<Keywords>({
    ...Object.fromEntries(PLAIN_STRINGS.split(' ').map((name) => [name, () => STRING])),
    isBoolean: () => ({ type: 'boolean' }),
    isInt: () => ({ type: 'integer' }),
    isNumber: () => ({ type: 'number' }),
    min: bound('number', 'minimum'),
    max: bound('number', 'maximum'),
    isPositive: () => ({ type: 'number', exclusiveMinimum: 0 }),
    isNegative: () => ({ type: 'number', exclusiveMaximum: 0 }),
    isDivisibleBy: bound('number', 'multipleOf'),
    isLatitude: () => ({ minimum: -90, maximum: 90 }),
    isLongitude: () => ({ minimum: -180, maximum: 180 }),
    isLength: ([min, max]) => ({
      ...bound('string', 'minLength')([min]),
      ...bound('string', 'maxLength')([max]),
    }),
    // Numbers and arrays pass it too: it says nothing of the type.
    isNotEmpty: () => ({ minLength: 1 }),
    minLength: bound('string', 'minLength'),
    maxLength: bound('string', 'maxLength'),
    matches: ([expression, flags]) => patternOf(expression, flags),
    contains: ([part]) => pattern(String(part).replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`)),
    // Other locales than the default have alphabets of their own.
    isAlpha: ([locale]) => (locale === undefined ? pattern('^[a-zA-Z]+$') : STRING),
    isAlphanumeric: ([locale]) => (locale === undefined ? pattern('^[0-9a-zA-Z]+$') : STRING),
    isAscii: () => pattern('^[\\x00-\\x7F]+$'),
    isHexadecimal: () => pattern('^(0x|0h)?[0-9a-fA-F]+$'),
    isHexColor: () => pattern('^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$'),
    isMongoId: () => pattern('^[0-9a-fA-F]{24}$'),
    isMilitaryTime: () => pattern('^([01]\\d|2[0-3]):([0-5]\\d)$'),
    isNumberString: ([options]) => (options === undefined ? pattern('^[+-]?([0-9]*[.])?[0-9]+$') : STRING),
    isBooleanString: () => ({ type: 'string', enum: ['true', 'false', '1', '0'] }),
    isEmail: format('email'),
    isUrl: format('uri'),
    isUuid: format('uuid'),
    isFqdn: format('hostname'),
    isIp: ([version]) =>
      version === undefined
        ? STRING
        : { type: 'string', format: version === 6 || version === '6' ? 'ipv6' : 'ipv4' },
    isIso8601: () => DATE,
    isDateString: () => DATE,
    isRFC3339: () => DATE,
    isDate: () => DATE,
    minDate: () => DATE,
    maxDate: () => DATE,
    isEnum: ([entity]) => oneOf(enumValues(entity)),
    isIn: ([values]) => oneOf(Array.isArray(values) ? values : []),
    equals: ([value]) => oneOf([value]),
    isObject: () => ({ type: 'object' }),
    isNotEmptyObject: () => ({ type: 'object', minProperties: 1 }),
    isArray: () => ({ type: 'array' }),
    arrayContains: () => ({ type: 'array' }),
    arrayNotContains: () => ({ type: 'array' }),
    arrayNotEmpty: () => ({ type: 'array', minItems: 1 }),
    arrayMinSize: bound('array', 'minItems'),
    arrayMaxSize: bound('array', 'maxItems'),
    arrayUnique: () => ({ type: 'array', uniqueItems: true }),
  }),
);

/**
 * What one validator means in JSON Schema: empty for what it has no word for and for validators unknown here, which
 * then only check. No `allOf` and no `not`: strict providers refuse both.
 */
export function validatorKeywords(
  name: string | undefined,
  constraints: readonly unknown[] = [],
): JsonSchema {
  return (name !== undefined && KEYWORDS.get(name)?.(constraints)) || {};
}

/** The members of a TypeScript enum; a numeric one also holds the way back from number to name. */
export function enumValues(entity: unknown): readonly unknown[] {
  if (Array.isArray(entity)) return entity;
  if (typeof entity !== 'object' || entity === null) return [];
  const members = entity as Readonly<Record<string, unknown>>;
  const isWayBack = (key: string): boolean => {
    const name = members[key];
    return typeof name === 'string' && String(members[name]) === key && typeof members[name] === 'number';
  };
  return Object.keys(members)
    .filter((key) => !isWayBack(key))
    .map((key) => members[key]);
}

function oneOf(values: readonly unknown[]): JsonSchema {
  if (values.length === 0) return {};
  const types = [...new Set(values.map(typeOf))];
  if (types.includes(undefined)) return {};
  return { type: types.length === 1 ? types[0] : types, enum: values };
}

function typeOf(value: unknown): string | undefined {
  if (value === null) return 'null';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value === 'string' || typeof value === 'boolean' ? typeof value : undefined;
}

function bound(type: string, keyword: string): Keywords {
  return ([limit]) => (typeof limit === 'number' ? { type, [keyword]: limit } : { type });
}

function format(name: string): Keywords {
  return () => ({ type: 'string', format: name });
}

function pattern(source: string): JsonSchema {
  return { type: 'string', pattern: source };
}

/** A pattern in JSON Schema has no flags: one that needs them is told in words. */
function patternOf(expression: unknown, flags: unknown): JsonSchema {
  const made = expression instanceof RegExp ? expression : new RegExp(String(expression), flagsOf(flags));
  const needsFlags = /[imsv]/.test(made.flags);
  return needsFlags ? { type: 'string', description: `(pattern: ${String(made)})` } : pattern(made.source);
}

function flagsOf(flags: unknown): string {
  return typeof flags === 'string' ? flags : '';
}
