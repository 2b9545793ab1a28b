import type { BinaryOperator } from '../syntax-tree.js';
import { Token, type TokenKind } from '../lexing/token.js';

/** A binary operator; the higher its precedence, the tighter it binds. All are left-associative. */
export interface OperatorRule {
  readonly operator: BinaryOperator;
  readonly precedence: number;
}

const LOOSEST_FIRST: readonly (readonly (readonly [TokenKind, BinaryOperator])[])[] = [
  [[Token.Coalesce, '??']],
  [[Token.Or, '||']],
  [[Token.And, '&&']],
  [
    [Token.EqualEqual, '=='],
    [Token.BangEqual, '!='],
  ],
  [
    [Token.Less, '<'],
    [Token.LessEqual, '<='],
    [Token.Greater, '>'],
    [Token.GreaterEqual, '>='],
  ],
  [
    [Token.Plus, '+'],
    [Token.Minus, '-'],
  ],
  [
    [Token.Star, '*'],
    [Token.Slash, '/'],
    [Token.Percent, '%'],
  ],
];

const RULES: ReadonlyMap<TokenKind, OperatorRule> = new Map(
  LOOSEST_FIRST.flatMap((level, index) =>
    level.map(([kind, operator]) => [kind, { operator, precedence: index + 1 }] as const),
  ),
);

const PRECEDENCES: ReadonlyMap<BinaryOperator, number> = new Map(
  [...RULES.values()].map(({ operator, precedence }) => [operator, precedence]),
);

/** The binary operator a token is, if it is one. */
export function operatorRule(kind: TokenKind): OperatorRule | undefined {
  return RULES.get(kind);
}

export function precedenceOf(operator: BinaryOperator): number {
  return PRECEDENCES.get(operator) ?? 0;
}
