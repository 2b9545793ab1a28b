import { isCloser } from './bracket-pairs.js';
import { lacksClosingBrace, lacksOpeningBrace } from './brace-balance.js';
import type { ExpressionContext } from './expression.context.js';
import { startsItem, startsValue } from './item-start.js';
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

const SUBJECT = 'The subject of this "when" needs parentheses.';
const SUBJECT_HINT = 'write when (…) { … }';

/** Tokens in which the branches of a `when` are looked for. */
const LOOK_AHEAD = 12;

/** Reads `when subject { pattern -> value … otherwise -> value }`; commas between branches are optional. */
export function parseWhen(context: ExpressionContext): WhenNode {
  const { stream } = context;
  const start = stream.start();
  stream.take();
  const subject = parseSubject(context);
  const found: Branches = { branches: [], otherwise: null, otherwiseSpan: null };
  if (stream.at(Token.OpenBrace)) {
    const open = stream.take();
    passSecondBrace(stream);
    const rules = { commasOptional: true, stop: () => context.stops(), element: 'a branch' };
    context.inside(open, () => parseList(stream, open, rules, () => parseBranch(context, found)));
  } else passBranches(context);
  const { branches, otherwise } = found;
  return { kind: 'when', subject, branches, otherwise, span: stream.spanFrom(start) };
}

/**
 * True at `when [1] {` and `when -1 {`, which is told: a subject that starts so needs parentheses, as `when` could be a
 * variable.
 */
export function tellBareSubject(stream: TokenStream): boolean {
  let at = stream.position + 1;
  for (let n = 0; n < LOOK_AHEAD; n++) {
    const ahead = at - stream.position;
    if (n > 0 && stream.at(Token.OpenBrace, ahead)) {
      stream.problem('bare-subject', stream.span(1), SUBJECT, { hint: SUBJECT_HINT });
      return true;
    }
    const isElsewhere =
      stream.startsLine(ahead) || startsItem(stream, ahead) || stream.at(Token.Comma, ahead);
    if (isElsewhere || stream.at(Token.End, ahead) || isCloser(stream.kind(ahead))) return false;
    at = Math.max(at, stream.closing(at)) + 1;
  }
  return false;
}

function parseSubject(context: ExpressionContext): ExpressionNode {
  const { stream } = context;
  if (!stream.at(Token.OpenBrace)) return context.subject();
  const closing = stream.closing(stream.position);
  if (closing !== -1 && stream.at(Token.OpenBrace, closing + 1 - stream.position)) {
    stream.problemHere('bare-subject', SUBJECT, { hint: SUBJECT_HINT });
    return context.subject();
  }
  stream.missing('expected-value', 'Expected a value after "when"');
  return { kind: 'broken', span: stream.spanFrom(stream.previousEnd()) };
}

/** `{ {`. */
function passSecondBrace(stream: TokenStream): void {
  if (!stream.at(Token.OpenBrace) || !lacksClosingBrace(stream)) return;
  stream.problemHere('unexpected-token', 'This "{" opens nothing.', { hint: 'remove it' });
  stream.take();
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
  if (stream.atWord('otherwise')) parseOtherwise(context, found);
  else {
    const { position } = stream;
    const pattern = context.pattern();
    if (stream.position === position) return;
    parseArrow(stream);
    found.branches.push({ pattern, value: parseValue(context) });
  }
  passSecondArrow(context);
}

function parseOtherwise(context: ExpressionContext, found: Branches): void {
  const { stream } = context;
  if (!found.otherwise) found.otherwiseSpan = stream.span();
  stream.take();
  parseArrow(stream);
  found.otherwise = parseValue(context);
}

/** The value behind an arrow; `otherwise ->` begins the next branch. */
function parseValue(context: ExpressionContext): ExpressionNode {
  const { stream } = context;
  if (!stream.atWord('otherwise') || !stream.at(Token.Arrow, 1)) return context.expression();
  stream.missing('expected-value', 'Expected a value before "otherwise"');
  return { kind: 'broken', span: stream.spanFrom(stream.previousEnd()) };
}

function parseArrow(stream: TokenStream): void {
  if (stream.accept(Token.Arrow)) return;
  stream.missing('expected-arrow', 'Expected "->" and a value', { hint: 'write pattern -> value' });
  if (stream.accept(Token.Colon) || stream.accept(Token.Equal)) return;
  // One word too many before the arrow.
  if (!stream.at(Token.Arrow, 1) || !startsValue(stream)) return;
  stream.take();
  stream.take();
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
