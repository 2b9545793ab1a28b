import { nearestName } from '../../errors/did-you-mean.js';
import { passBlock, type BlockKind } from './body.parser.js';
import { quoted } from './quoted.js';
import type { TokenStream } from './token-stream.js';
import { Token } from '../lexing/token.js';

/** True at `word {` or `word name :`, which no assignment starts with; `word { key: …` is one that misses its `=`. */
export function startsUnknownBlock(stream: TokenStream): boolean {
  if (!stream.at(Token.Name)) return false;
  if (stream.at(Token.Name, 1)) return stream.at(Token.Colon, 2);
  const isObject = stream.at(Token.Colon, 3) || stream.at(Token.Comma, 3);
  return stream.at(Token.OpenBrace, 1) && !isObject;
}

/**
 * Tells that no such block exists.
 * @returns the known block it was taken for, with no token taken; undefined once the block has been passed.
 */
export function tellUnknownBlock(
  stream: TokenStream,
  owner: BlockKind,
  known: readonly string[],
): string | undefined {
  const word = stream.text();
  const nearest = nearestName(word, known);
  const details = nearest === undefined ? {} : { hint: `did you mean "${nearest}"?` };
  stream.problemHere(
    'unknown-block',
    `${quoted(word)} is no block of ${owner === 'agent' ? 'an agent' : 'a tool'}.`,
    details,
  );
  if (nearest === undefined) passBlock(stream);
  return nearest;
}
