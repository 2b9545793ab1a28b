import type { ExpressionContext } from './expression.context.js';
import { startsItem, startsValue } from './item-start.js';
import { parseList } from './list.parser.js';
import { parseBracketed, parsePrimary } from './primary.parser.js';
import { quoted } from './quoted.js';
import type { ExpressionNode } from '../syntax-tree.js';
import type { TokenStream } from './token-stream.js';
import { Token } from '../lexing/token.js';

/** Tokens in which a lost parenthesis is looked for. */
const LOOK_AHEAD = 12;

/** Reads an operand and what follows it: `.name`, `?.name`, `[index]`, `?[index]` and calls, in a loop. */
export function parseOperand(context: ExpressionContext): ExpressionNode {
  const { stream } = context;
  let node = parsePrimary(context);
  for (;;) {
    switch (stream.kind()) {
      case Token.Dot:
      case Token.QuestionDot:
        node = parseMember(context, node);
        break;
      case Token.OpenBracket:
        node = parseIndex(context, node, false);
        break;
      case Token.OpenParen:
        node = parseCall(context, node);
        break;
      case Token.Question:
        if (!isOptionalIndex(context)) return node;
        stream.take();
        node = parseIndex(context, node, true);
        break;
      default:
        if (!lacksParen(context, node)) return node;
        node = passLostCall(stream, node);
    }
  }
}

/** True at `f 20)`: a name, a value on its line, and a `)` there that closes nothing. */
function lacksParen(context: ExpressionContext, { kind }: ExpressionNode): boolean {
  const { stream } = context;
  if ((kind !== 'variable' && kind !== 'member') || !startsValue(stream)) return false;
  for (let ahead = 0; ahead < LOOK_AHEAD; ahead++) {
    if (stream.at(Token.End, ahead) || stream.startsLine(ahead) || startsItem(stream, ahead)) return false;
    if (stream.at(Token.CloseParen, ahead) && stream.closing(stream.position + ahead) === -1) return true;
  }
  return false;
}

function passLostCall(stream: TokenStream, { span }: ExpressionNode): ExpressionNode {
  const name = stream.text(-1);
  stream.missing('expected-paren', `Expected "(" after ${quoted(name)}`, { hint: `write ${name}(…)` });
  stream.skipUntil(() => stream.at(Token.CloseParen) && stream.closing(stream.position) === -1);
  stream.take();
  return { kind: 'broken', span: stream.spanFrom(span.start) };
}

/**
 * `?[` is an optional index, `? [` a conditional. If the `]` is followed by `:`, as in `a ?[1] : 2`, it is a
 * conditional too, unless the `:` is that of a conditional around it and the `?` touches what it follows, as in
 * `test ? a?[1] : 2`.
 */
function isOptionalIndex({ stream, inConditional }: ExpressionContext): boolean {
  if (!stream.at(Token.OpenBracket, 1) || stream.span().end !== stream.start(1)) return false;
  const closing = stream.closing(stream.position + 1);
  const isBeforeColon = closing !== -1 && stream.at(Token.Colon, closing + 1 - stream.position);
  return !isBeforeColon || (inConditional && stream.isAttached());
}

function parseMember(context: ExpressionContext, object: ExpressionNode): ExpressionNode {
  const { stream } = context;
  const optional = stream.at(Token.QuestionDot);
  stream.take();
  if (optional && stream.at(Token.OpenBracket)) {
    stream.problemHere('invalid-symbol', '"?.[" is no operator.', { hint: 'write "?["' });
    return parseIndex(context, object, true);
  }
  if (!stream.at(Token.Name) || context.lacksField()) {
    stream.missing('expected-name', 'Expected a field name after "."');
    return { kind: 'broken', span: stream.spanFrom(object.span.start) };
  }
  const property = { text: stream.text(), span: stream.span() };
  stream.take();
  return { kind: 'member', object, property, optional, span: stream.spanFrom(object.span.start) };
}

function parseIndex(context: ExpressionContext, object: ExpressionNode, optional: boolean): ExpressionNode {
  const { stream } = context;
  const index = parseBracketed(context);
  return { kind: 'index', object, index, optional, span: stream.spanFrom(object.span.start) };
}

function parseCall(context: ExpressionContext, callee: ExpressionNode): ExpressionNode {
  const { stream } = context;
  const open = stream.take();
  const rules = { commasOptional: false, stop: () => context.stops(), element: 'an argument' };
  const list: ExpressionNode[] = [];
  context.inside(open, () => parseList(stream, open, rules, () => list.push(parseArgument(context))));
  return { kind: 'call', callee, arguments: list, span: stream.spanFrom(callee.span.start) };
}

function parseArgument(context: ExpressionContext): ExpressionNode {
  const { stream } = context;
  if (stream.at(Token.Name) && stream.at(Token.Equal, 1)) passArgumentName(stream);
  if (startsParameterList(stream)) return parseWrongLambda(context);
  if (!stream.at(Token.Name) || !stream.at(Token.Arrow, 1)) return context.element();
  const parameter = { text: stream.text(), span: stream.span() };
  stream.take();
  stream.take();
  const body = context.expression();
  return { kind: 'lambda', parameter, body, span: stream.spanFrom(parameter.span.start) };
}

/** `f(n = 3)`. */
function passArgumentName(stream: TokenStream): void {
  const hint = 'write the value alone; if it compares, write "=="';
  stream.problemHere('named-argument', `Arguments have no names, but found ${quoted(stream.text())}.`, {
    hint,
  });
  stream.take();
  stream.take();
}

/** `(a, b) ->` and `(a -> …)`. */
function startsParameterList(stream: TokenStream): boolean {
  if (!stream.at(Token.OpenParen)) return false;
  if (stream.at(Token.Name, 1) && stream.at(Token.Arrow, 2)) return true;
  const closing = stream.closing(stream.position);
  return closing !== -1 && stream.at(Token.Arrow, closing + 1 - stream.position);
}

function parseWrongLambda(context: ExpressionContext): ExpressionNode {
  const { stream } = context;
  const start = stream.start();
  stream.problemHere(
    'invalid-lambda',
    'A lambda has one name before its arrow, and no parentheses around it.',
    {
      hint: 'write items.map(item -> item.name)',
    },
  );
  const open = stream.position;
  if (stream.at(Token.Arrow, 2)) stream.take();
  else stream.skipBracket();
  if (stream.at(Token.Name)) stream.take();
  stream.take();
  context.expression();
  // Its own parenthesis, if the call has another one.
  if (stream.closing(open) === stream.position) stream.accept(Token.CloseParen);
  return { kind: 'broken', span: stream.spanFrom(start) };
}
