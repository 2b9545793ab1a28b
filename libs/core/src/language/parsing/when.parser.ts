import { isCloser } from './bracket-pairs.js';
import { lacksOpeningBrace } from './brace-balance.js';
import type { ExpressionContext } from './expression.context.js';
import { parseList } from './list.parser.js';
import type { ExpressionNode, Span, WhenNode } from '../syntax-tree.js';
import type { TokenStream } from './token-stream.js';
import { Token } from '../lexing/token.js';

interface Branches {
  readonly branches: WhenNode['branches'][number][];
  otherwise: ExpressionNode | null;
  /** Where `otherwise` stands; null before it, and once what follows it has been told. */
  otherwiseSpan: Span | null;
}

/** Reads `when subject { pattern -> value … otherwise -> value }`; commas between branches are optional. */
export function parseWhen(context: ExpressionContext): WhenNode {
  const { stream } = context;
  const start = stream.start();
  stream.take();
  const subject = parseSubject(context);
  const found: Branches = { branches: [], otherwise: null, otherwiseSpan: null };
  if (stream.at(Token.OpenBrace)) {
    const open = stream.take();
    const rules = { commasOptional: true, stop: () => context.stops(), element: 'a branch' };
    context.inside(open, () => parseList(stream, open, rules, () => parseBranch(context, found)));
  } else passBranches(context);
  const { branches, otherwise } = found;
  return { kind: 'when', subject, branches, otherwise, span: stream.spanFrom(start) };
}

function parseSubject(context: ExpressionContext): ExpressionNode {
  const { stream } = context;
  if (!stream.at(Token.OpenBrace)) return context.subject();
  stream.missing('expected-value', 'Expected a value after "when"');
  return { kind: 'broken', span: stream.spanFrom(stream.previousEnd()) };
}

/** Tells that `{` is missing and passes the branches, with their `}` if there is one too many. */
function passBranches(context: ExpressionContext): void {
  const { stream } = context;
  stream.missing('expected-brace', 'Expected "{" and branches after the subject of "when"');
  stream.skipUntil(() => isCloser(stream.kind()) || context.stops());
  if (!stream.at(Token.CloseBrace)) return;
  if (stream.closing(stream.position) === -1 || lacksOpeningBrace(stream)) stream.take();
}

function parseBranch(context: ExpressionContext, found: Branches): void {
  const { stream } = context;
  if (found.otherwiseSpan) {
    const related = [{ message: 'the last branch is here', span: found.otherwiseSpan }];
    stream.problemHere('branch-after-otherwise', '"otherwise" is the last branch of a "when".', { related });
    found.otherwiseSpan = null;
  }
  if (stream.atWord('otherwise') && stream.at(Token.Arrow, 1)) {
    if (!found.otherwise) found.otherwiseSpan = stream.span();
    stream.take();
    stream.take();
    found.otherwise = context.expression();
  } else {
    const { position } = stream;
    const pattern = context.expression();
    if (stream.position === position) return;
    parseArrow(stream);
    found.branches.push({ pattern, value: context.expression() });
  }
  passSecondArrow(context);
}

function parseArrow(stream: TokenStream): void {
  if (stream.accept(Token.Arrow)) return;
  stream.missing('expected-arrow', 'Expected "->" after the pattern');
  if (!stream.accept(Token.Colon)) stream.accept(Token.Equal);
}

/** `1 -> a -1 -> b` reads as `1 -> (a - 1) -> b`. */
function passSecondArrow(context: ExpressionContext): void {
  const { stream } = context;
  if (!stream.at(Token.Arrow)) return;
  const hint = 'put a comma before the next pattern: this one reads as a part of the value before it';
  stream.problemHere('unexpected-token', '"->" follows a value.', { hint });
  stream.take();
  context.expression();
}
