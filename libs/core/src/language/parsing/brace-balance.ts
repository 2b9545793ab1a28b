import { hasLineBreak } from '../comment.js';
import { indentationOf, lineIndentation } from './indentation.js';
import { startsAssignment, startsInput, startsRoot, startsTool } from './item-start.js';
import { isAgentProperty, TOOL_PROPERTY } from '../property-names.js';
import type { BlockKind, BodyStart } from './body.parser.js';
import type { TokenStream } from './token-stream.js';
import { Token } from '../lexing/token.js';

/** True if the braces of the agent at hand show that a `}` is missing in it. */
export function lacksClosingBrace(stream: TokenStream): boolean {
  return stream.agentOpen !== -1 && stream.closing(stream.agentOpen) === -1;
}

/** True if they show that a `{` is missing in it, or a `}` too many, of which nothing has been told. */
export function lacksOpeningBrace(stream: TokenStream): boolean {
  if (stream.bracesTold) return false;
  const closing = stream.closing(stream.agentOpen);
  if (closing === -1) return false;
  const ahead = closing + 1 - stream.position;
  return !stream.at(Token.End, ahead) && !startsRoot(stream, ahead);
}

/**
 * True at something that the block opened at `open` surely does not hold, in an agent that misses a `}`: a property of
 * the agent in a tool, and what is indented no more than the block itself.
 */
export function standsOutside(stream: TokenStream, kind: BlockKind, open: BodyStart): boolean {
  if (kind === 'agent' || open === -1) return false;
  const isProperty = startsAssignment(stream);
  if (kind === 'tool' && isProperty && isAgentProperty(stream.text())) return true;
  if (!isProperty && !stream.at(Token.CloseBrace)) return false;
  const [own, block] = indentations(stream, open);
  if (own === undefined || block === undefined) return false;
  return isProperty ? own <= block : own < block;
}

/**
 * True at a `}` that comes too early, in an agent that has one too many: behind something on its line, while the block
 * was opened on an earlier one and goes on after it.
 */
export function isSpareBrace(stream: TokenStream, kind: BlockKind, open: BodyStart): boolean {
  if (open === -1 || !lacksOpeningBrace(stream) || !goesOn(stream, kind, open)) return false;
  const { tokens } = stream.lexed;
  if (!hasLineBreak(stream.source, tokens.end(open), stream.start())) return false;
  const [own, block] = indentations(stream, open);
  return own === undefined || (block !== undefined && own > block);
}

/** True if what follows the current `}` belongs into the block that it would close. */
function goesOn(stream: TokenStream, kind: BlockKind, open: BodyStart): boolean {
  if (stream.at(Token.CloseBrace, 1)) {
    const own = indentationOf(stream.source, stream.start(1));
    return own !== undefined && own === lineIndentation(stream.source, stream.lexed.tokens.start(open));
  }
  if (!startsAssignment(stream, 1)) return kind === 'agent' ? startsTool(stream, 1) : startsInput(stream, 1);
  if (kind === 'input') return true;
  return kind === 'tool' ? stream.atWord(TOOL_PROPERTY, 1) : isAgentProperty(stream.text(1));
}

/** Of the current token, if it stands first on its line, and of the line where a block opens. */
function indentations(
  stream: TokenStream,
  open: BodyStart,
): readonly [number | undefined, number | undefined] {
  const { source, lexed } = stream;
  return [indentationOf(source, stream.start()), lineIndentation(source, lexed.tokens.start(open))];
}
