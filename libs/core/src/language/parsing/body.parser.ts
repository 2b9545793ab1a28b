import { lacksClosingBrace, lacksOpeningBrace } from './brace-balance.js';
import { hasLineBreak } from '../comment.js';
import { startsAgent, startsAssignment, startsInput, startsItem, startsTool } from './item-start.js';
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

/** Takes the `{` of a block. If there is none, tells so, and gives undefined if no body seems to follow. */
export function openBody(stream: TokenStream, kind: BlockKind): BodyStart | undefined {
  if (stream.at(Token.OpenBrace)) return stream.take();
  stream.missing('expected-brace', `Expected "{" and the body of the ${kind}`);
  if (stream.at(Token.End) || stream.at(Token.CloseBrace) || startsTool(stream) || startsAgent(stream))
    return undefined;
  return stream.agentOpen === -1 || lacksOpeningBrace(stream) ? -1 : undefined;
}

/** Reads a body up to and with its `}`. `item` reads one thing in it; false if nothing known stands there. */
export function parseBody(stream: TokenStream, kind: BlockKind, open: BodyStart, item: () => boolean): void {
  for (;;) {
    if (stream.accept(Token.CloseBrace)) return;
    const isForeign = startsForeignBlock(stream, kind);
    if (stream.at(Token.End) || (isForeign && lacksClosingBrace(stream)))
      return tellUnclosed(stream, kind, open);
    if (isForeign) passForeignBlock(stream, kind);
    else if (!item()) passStray(stream, kind);
    stream.accept(Token.Comma);
  }
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
    (kind !== 'tool' && startsInput(stream))
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
  stream.missing('unclosed-block', `This ${kind} is not closed: expected "}"`, details);
}

function passStray(stream: TokenStream, kind: BlockKind): void {
  stream.missing('unexpected-token', `Expected ${CONTENTS[kind]}`);
  stream.skipPast(() => stream.at(Token.CloseBrace) || startsItem(stream) || startsBrokenItem(stream));
}

/** True at a word on a new line that a value or `:` follows: very likely an assignment with a mistake of its own. */
function startsBrokenItem(stream: TokenStream): boolean {
  if (!stream.at(Token.Name) || !hasLineBreak(stream.source, stream.previousEnd(), stream.start()))
    return false;
  return stream.at(Token.Colon, 1) || stream.at(Token.String, 1) || stream.at(Token.Number, 1);
}
