import { isCloser } from './bracket-pairs.js';
import { lacksClosingBrace } from './brace-balance.js';
import type { ExpressionContext } from './expression.context.js';
import { startsItem, startsSurely, startsValue } from './item-start.js';
import { operatorRule, type OperatorRule } from './operators.js';
import { parseOperand } from './operand.parser.js';
import { MAX_HEIGHT, MAX_NESTING } from '../syntax-limits.js';
import type { ExpressionNode, UnaryNode } from '../syntax-tree.js';
import type { TokenStream } from './token-stream.js';
import { Token } from '../lexing/token.js';
import { isHigherThan } from './tree-height.js';

/** Expressions by precedence climbing. Chains of operators are read without recursion; what recurses is bounded. */
export class ExpressionParser implements ExpressionContext {
  readonly stream: TokenStream;
  /** True where `key =` ends an expression: in a body, and in brackets there that are never closed. */
  #stopsAtItems: boolean;
  /** Conditionals of the innermost bracket whose `:` is to come. */
  #conditionals = 0;
  #depth = 0;
  /** True in a pattern of a `when`, where a wrong sign stands for the arrow. */
  #inPattern = false;

  constructor(stream: TokenStream, stopsAtItems: boolean) {
    this.stream = stream;
    this.#stopsAtItems = stopsAtItems;
  }

  get inConditional(): boolean {
    return this.#conditionals > 0;
  }

  /** Reads a whole value, whose tree is at most `MAX_HEIGHT` levels high. */
  value(): ExpressionNode {
    const value = this.element();
    if (!isHigherThan(value, MAX_HEIGHT)) return value;
    const message = `This expression has more than ${MAX_HEIGHT} levels; each operator of a chain is one.`;
    this.stream.problem('nested-too-deep', value.span, message, { hint: 'split it, or pass a list' });
    return { kind: 'broken', span: value.span };
  }

  element(): ExpressionNode {
    const node = this.expression();
    if (!this.stream.at(Token.Arrow)) return node;
    this.stream.problemHere('misplaced-lambda', '"->" stands in arguments of calls and in "when" only.', {
      hint: 'a lambda has one name before its arrow, as in items.map(item -> item.name)',
    });
    this.stream.take();
    this.expression();
    return { kind: 'broken', span: this.stream.spanFrom(node.span.start) };
  }

  expression(): ExpressionNode {
    if (this.#depth >= MAX_NESTING) return this.#tooDeep();
    this.#depth++;
    const node = this.#conditional();
    this.#depth--;
    return node;
  }

  subject(): ExpressionNode {
    const stopsAtItems = this.#stopsAtItems;
    this.#stopsAtItems = false;
    const subject = this.expression();
    this.#stopsAtItems = stopsAtItems;
    return subject;
  }

  pattern(): ExpressionNode {
    this.#inPattern = true;
    const pattern = this.expression();
    this.#inPattern = false;
    return pattern;
  }

  inside<T>(open: number, read: () => T): T {
    const [stopsAtItems, conditionals, inPattern] = [this.#stopsAtItems, this.#conditionals, this.#inPattern];
    this.#stopsAtItems &&= this.stream.closing(open) === -1 || lacksClosingBrace(this.stream);
    this.#conditionals = 0;
    this.#inPattern = false;
    const result = read();
    this.#stopsAtItems = stopsAtItems;
    this.#conditionals = conditionals;
    this.#inPattern = inPattern;
    return result;
  }

  stops(): boolean {
    return this.#stopsAtItems && startsItem(this.stream);
  }

  lacksField(): boolean {
    return this.#stopsAtItems && !this.stream.isAttached() && startsSurely(this.stream);
  }

  #conditional(): ExpressionNode {
    const { stream } = this;
    const test = this.#binary(1);
    if (!stream.at(Token.Question)) return test;
    const question = stream.span();
    stream.take();
    if (stream.at(Token.Question)) {
      stream.problemHere('unexpected-token', '"?" stands twice.', { hint: 'remove one of them' });
      stream.take();
    }
    this.#conditionals++;
    const then = this.expression();
    this.#conditionals--;
    const related = [{ message: 'for this "?"', span: question }];
    if (!stream.accept(Token.Colon)) {
      const hint = 'write test ? value : otherwise';
      stream.missing('expected-colon', 'Expected ":" and a second value', { hint, related });
    }
    const otherwise = this.expression();
    // oxlint-disable-next-line unicorn/no-thenable -- the tree names it so, and nobody awaits a node
    return { kind: 'conditional', test, then, otherwise, span: stream.spanFrom(test.span.start) };
  }

  #binary(least: number): ExpressionNode {
    let left = this.#unary();
    for (;;) {
      const rule = this.#operator();
      if (!rule || rule.precedence < least) return left;
      this.stream.take();
      const right = this.#binary(rule.precedence + 1);
      left = {
        kind: 'binary',
        operator: rule.operator,
        left,
        right,
        span: { start: left.span.start, end: right.span.end },
      };
    }
  }

  /** The operator that stands here; `and`, `or` and `=` with a problem told. */
  #operator(): OperatorRule | undefined {
    const { stream } = this;
    const rule = operatorRule(stream.kind());
    if (rule) return rule;
    if (stream.at(Token.Equal)) return this.#comparison();
    if (!stream.at(Token.Name)) return undefined;
    const meant = stream.atWord('and') ? Token.And : stream.atWord('or') ? Token.Or : undefined;
    if (meant === undefined || !startsValue(stream, 1) || startsItem(stream, 1)) return undefined;
    const symbol = meant === Token.And ? '&&' : '||';
    stream.problemHere('invalid-symbol', `"${stream.text()}" is no operator.`, { hint: `write "${symbol}"` });
    return operatorRule(meant);
  }

  /** `=` behind an operand on its line. */
  #comparison(): OperatorRule | undefined {
    const { stream } = this;
    if (this.#inPattern || stream.startsLine()) return undefined;
    stream.problemHere('invalid-symbol', '"=" compares nothing.', { hint: 'write "=="' });
    return operatorRule(Token.EqualEqual);
  }

  /** True at `not` before an operand, which is told to be `!`. */
  #isNot(): boolean {
    const { stream } = this;
    if (!stream.atWord('not') || !stream.at(Token.Name, 1) || startsItem(stream, 1)) return false;
    stream.problemHere('invalid-symbol', '"not" is no operator.', { hint: 'write "!"' });
    return true;
  }

  #unary(): ExpressionNode {
    const { stream } = this;
    const signs: { readonly operator: UnaryNode['operator']; readonly start: number }[] = [];
    while (stream.at(Token.Bang) || stream.at(Token.Minus) || this.#isNot()) {
      signs.push({ operator: stream.at(Token.Minus) ? '-' : '!', start: stream.start() });
      stream.take();
    }
    let node = parseOperand(this);
    for (const { operator, start } of signs.toReversed()) {
      node = {
        kind: 'unary',
        operator,
        operand: node,
        span: { start, end: Math.max(start + 1, node.span.end) },
      };
    }
    return node;
  }

  #tooDeep(): ExpressionNode {
    const { stream } = this;
    const start = stream.start();
    const message = `More than ${MAX_NESTING} expressions stand inside each other here.`;
    stream.problemHere('nested-too-deep', message, { hint: 'split it' });
    stream.skipUntil(() => isCloser(stream.kind()) || this.stops());
    return { kind: 'broken', span: stream.spanFrom(start) };
  }
}
