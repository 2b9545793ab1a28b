import { readdirSync, readFileSync } from 'node:fs';
import * as fc from 'fast-check';

const EXAMPLES = new URL('../../libs/core/src/language/examples/', import.meta.url);

/** The valid `.agent` files of the language, by name. */
export const examples: ReadonlyMap<string, string> = new Map(
  readdirSync(EXAMPLES)
    .filter((name) => name.endsWith('.agent'))
    .map((name) => [name, readFileSync(new URL(name, EXAMPLES), 'utf8')]),
);

const name = fc.constantFrom('a', 'b', 'when', 'tool', 'input', 'agent', 'otherwise', 'größe', 'stream');
const variable = fc.constantFrom('a', 'b', 'ctx', 'tool_args', 'größe');
const leaf = fc.constantFrom(
  '1',
  '.5',
  '2e3',
  '25ms',
  'true',
  'null',
  '"s"',
  '"a ${b} c"',
  '"""r\n "x" """',
  '"\\n\\${}"',
);

const { expression } = fc.letrec<{ expression: string[]; operand: string[] }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'expression' },
    tie('operand'),
    fc
      .tuple(
        tie('operand'),
        fc.constantFrom('+', '-', '*', '/', '%', '==', '!=', '<', '>=', '&&', '||', '??'),
        tie('expression'),
      )
      .map(([left, operator, right]) => [...left, operator, ...right]),
    fc.tuple(fc.constantFrom('!', '-'), tie('operand')).map(([sign, operand]) => [sign, ...operand]),
    fc
      .tuple(tie('operand'), tie('expression'), tie('expression'))
      .map(([test, then, otherwise]) => [...test, '?', ...then, ':', ...otherwise]),
  ),
  operand: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'expression' },
    fc.oneof(leaf, variable).map((text) => [text]),
    tie('expression').map((inner) => ['(', ...inner, ')']),
    fc.array(tie('expression'), { maxLength: 3 }).map((items) => ['[', ...commaSeparated(items), ']']),
    fc
      .array(fc.tuple(fc.oneof(name, fc.constant('"k k"')), tie('expression')), { maxLength: 3 })
      .map((entries) => ['{', ...entries.flatMap(([key, value]) => [key, ':', ...value]), '}']),
    fc
      .tuple(tie('operand'), fc.constantFrom('.', '?.'), name)
      .map(([object, dot, field]) => [...object, dot, field]),
    fc.tuple(tie('operand'), tie('expression')).map(([object, index]) => [...object, '[', ...index, ']']),
    fc
      .tuple(
        tie('operand'),
        fc.array(
          fc.oneof(
            tie('expression'),
            tie('expression').map((body) => ['x', '->', ...body]),
          ),
          { maxLength: 2 },
        ),
      )
      .map(([callee, list]) => [...callee, '(', ...commaSeparated(list), ')']),
    fc
      .tuple(
        variable,
        fc.array(fc.tuple(tie('expression'), tie('expression')), { maxLength: 2 }),
        tie('expression'),
      )
      .map(([subject, branches, otherwise]) => [
        'when',
        subject,
        '{',
        ...branches.flatMap(([pattern, value]) => [...pattern, '->', ...value, ',']),
        'otherwise',
        '->',
        ...otherwise,
        '}',
      ]),
  ),
}));

const assignment = fc
  .tuple(fc.oneof(name, fc.constant('"k k"')), expression, fc.boolean())
  .map(([key, value, comma]) => [key, '=', ...value, ...(comma ? [','] : [])]);
const input = fc.array(assignment, { maxLength: 3 }).map((body) => ['input', '{', ...body.flat(), '}']);
const tool = fc
  .tuple(name, name, fc.array(fc.oneof(assignment, input), { maxLength: 3 }))
  .map(([label, operator, body]) => ['tool', label, ':', operator, '{', ...body.flat(), '}']);
const agent = fc
  .tuple(fc.boolean(), name, fc.array(fc.oneof(assignment, tool), { maxLength: 4 }))
  .map(([streaming, label, body]) => [
    ...(streaming ? ['stream'] : []),
    'agent',
    label,
    '{',
    ...body.flat(),
    '}',
  ]);

const SEPARATORS = [
  ' ',
  ' ',
  ' ',
  '\n',
  '\r\n',
  '\n\n\n',
  ' // c\n',
  '\n/// d\n',
  ' /* c\n  d */ ',
  '\n/**\n   * e\n */\n',
  ' /** f */ ',
  '\n\n//// g  \n',
];

/** Files without errors, with white space and comments between any tokens. */
export const validSource: fc.Arbitrary<string> = fc
  .tuple(
    fc.array(agent, { maxLength: 3 }).map((agents) => agents.flat()),
    fc.infiniteStream(fc.constantFrom(...SEPARATORS)),
    fc.boolean(),
  )
  .map(([tokens, separators, spaced]) => {
    const between = (): string => (spaced ? ' ' : (separators.next().value ?? ' '));
    return between() + tokens.map((token) => token + between()).join('');
  });

function commaSeparated(items: readonly (readonly string[])[]): string[] {
  return items.flatMap((item, index) => (index === 0 ? item : [',', ...item]));
}
