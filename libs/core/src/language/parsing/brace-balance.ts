import { startsRoot } from './item-start.js';
import type { TokenStream } from './token-stream.js';
import { Token } from '../lexing/token.js';

/** True if the braces of the agent at hand show that a `}` is missing in it. */
export function lacksClosingBrace(stream: TokenStream): boolean {
  return stream.agentOpen !== -1 && stream.closing(stream.agentOpen) === -1;
}

/** True if they show that a `{` is missing in it: its last `}` comes too early. */
export function lacksOpeningBrace(stream: TokenStream): boolean {
  const closing = stream.closing(stream.agentOpen);
  if (closing === -1) return false;
  const ahead = closing + 1 - stream.position;
  return !stream.at(Token.End, ahead) && !startsRoot(stream, ahead);
}
