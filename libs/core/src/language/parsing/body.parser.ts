import { isSpareBrace, lacksClosingBrace, lacksOpeningBrace, standsOutside } from './brace-balance.js';
import {
  startsAgent,
  startsAssignment,
  startsBrokenItem,
  startsInput,
  startsItem,
  startsTool,
} from './item-start.js';
import type { TokenStream } from './token-stream.js';
import { Token } from '../lexing/token.js';

export type BlockKind = 'agent' | 'tool' | 'input';

/** Index of the `{` of a body, or -1 for one that misses it. */
export type BodyStart = number;

const NAMES: Readonly<Record<BlockKind, string>> = { agent: 'an agent', tool: 'a tool', input: 'an input' };

const CONTENTS: Readonly<Record<BlockKind, string>> = {
  agent: '"property = value" or "tool name : Operator { … }"',
  tool: '"property = value" or "input { … }"',
  input: '"field = value"',
};

const HOMES: ReadonlyMap<string, string> = new Map([
  ['agent', 'agents stand beside each other in a file'],
  ['tool', 'tools stand beside each other in an agent'],
  ['input', 'an input stands in a tool'],
]);

/** Tokens of a header that may stand in excess before its `{`. */
const MOST_EXCESS = 4;

/** Takes the `{` of a block. If there is none, tells so, and gives undefined if no body seems to follow. */
export function openBody(stream: TokenStream, kind: BlockKind): BodyStart | undefined {
  if (stream.at(Token.OpenBrace)) return stream.take();
  const excess = countExcess(stream);
  const details = excess === 0 ? {} : { hint: 'remove what stands before "{"' };
  stream.missing('expected-brace', `Expected "{" and the body of the ${kind}`, details);
  if (excess > 0) {
    for (let n = 0; n < excess; n++) stream.take();
    return stream.take();
  }
  if (stream.at(Token.CloseBrace) && !stream.startsLine() && lacksOpeningBrace(stream)) {
    stream.take();
    stream.bracesTold = true;
    return undefined;
  }
  if (stream.at(Token.End) || stream.at(Token.CloseBrace) || startsTool(stream) || startsAgent(stream))
    return undefined;
  const isOpen = stream.agentOpen === -1 || lacksOpeningBrace(stream);
  stream.bracesTold ||= isOpen;
  return isOpen ? -1 : undefined;
}

/** How many tokens stand between a header and its `{` on one line, as in `agent a() {`; 0 if there is no `{`. */
function countExcess(stream: TokenStream): number {
  let ahead = 0;
  while (isExcess(stream, ahead)) ahead++;
  const isFound = ahead <= MOST_EXCESS && stream.at(Token.OpenBrace, ahead) && !stream.startsLine(ahead);
  return isFound ? ahead : 0;
}

function isExcess(stream: TokenStream, ahead: number): boolean {
  if (ahead > MOST_EXCESS || stream.startsLine(ahead) || startsItem(stream, ahead)) return false;
  switch (stream.kind(ahead)) {
    case Token.Name:
    case Token.Number:
    case Token.String:
    case Token.Colon:
    case Token.Equal:
    case Token.Arrow:
    case Token.Minus:
    case Token.OpenParen:
    case Token.CloseParen:
      return true;
    default:
      return false;
  }
}

/** Reads a body up to and with its `}`. `item` reads one thing in it; false if nothing known stands there. */
export function parseBody(stream: TokenStream, kind: BlockKind, open: BodyStart, item: () => boolean): void {
  passSecondBrace(stream, open);
  for (;;) {
    stream.beginStatement();
    if (stream.at(Token.CloseBrace) && isSpareBrace(stream, kind, open)) {
      passSpareBrace(stream);
      continue;
    }
    const isForeign = startsForeignBlock(stream, kind);
    if (
      stream.at(Token.End) ||
      (lacksClosingBrace(stream) && (isForeign || standsOutside(stream, kind, open)))
    )
      return tellUnclosed(stream, kind, open);
    if (stream.accept(Token.CloseBrace)) return;
    if (isForeign) passForeignBlock(stream, kind);
    else if (!item()) passStray(stream, kind);
    stream.accept(Token.Comma);
  }
}

/** `{ {`. */
function passSecondBrace(stream: TokenStream, open: BodyStart): void {
  if (open === -1 || !stream.at(Token.OpenBrace) || !lacksClosingBrace(stream)) return;
  stream.problemHere('unexpected-token', 'This "{" opens nothing.', { hint: 'remove it' });
  stream.take();
}

function passSpareBrace(stream: TokenStream): void {
  stream.problemHere('unexpected-token', 'This "}" closes nothing.', { hint: 'remove it' });
  stream.take();
  stream.bracesTold = true;
}

/** Passes a block that has been told of: its header and, if there is one, its body. */
export function passBlock(stream: TokenStream): void {
  const isEnd = (): boolean => stream.at(Token.CloseBrace) || startsAssignment(stream);
  stream.skipUntil(() => stream.at(Token.OpenBrace) || isEnd());
  if (stream.at(Token.OpenBrace)) stream.skipBracket();
}

/** True at a block that belongs elsewhere. */
function startsForeignBlock(stream: TokenStream, kind: BlockKind): boolean {
  return (
    startsAgent(stream) ||
    (kind !== 'agent' && startsTool(stream)) ||
    (kind !== 'tool' && startsInput(stream) && !(kind === 'agent' && lacksOpeningBrace(stream)))
  );
}

function passForeignBlock(stream: TokenStream, kind: BlockKind): void {
  const word = stream.atWord('stream') ? 'agent' : stream.text();
  const hint = HOMES.get(word) ?? '';
  stream.problemHere('misplaced-block', `"${word}" cannot stand inside ${NAMES[kind]}.`, { hint });
  passBlock(stream);
}

function tellUnclosed(stream: TokenStream, kind: BlockKind, open: BodyStart): void {
  const { tokens } = stream.lexed;
  const span = { start: tokens.start(open), end: tokens.end(open) };
  const details = open === -1 ? {} : { related: [{ message: 'opened here', span }] };
  const another = stream.at(Token.CloseBrace) ? 'another ' : '';
  stream.missing('unclosed-block', `This ${kind} is not closed: expected ${another}"}"`, details);
}

function passStray(stream: TokenStream, kind: BlockKind): void {
  if (stream.at(Token.Equal)) {
    const hint = 'name the property before "="';
    stream.problemHere('expected-key', `Expected ${CONTENTS[kind]}, but found "=".`, { hint });
  } else stream.missing('unexpected-token', `Expected ${CONTENTS[kind]}`);
  stream.skipPast(() => stream.at(Token.CloseBrace) || startsItem(stream) || startsBrokenItem(stream));
}
