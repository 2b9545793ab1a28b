import { nearestName } from '../errors/did-you-mean.js';
import { parseAgent } from './parsing/agent.parser.js';
import type { Comment } from './comment.js';
import { orderedDiagnostics, type Diagnostic } from './diagnostic.js';
import { ExpressionParser } from './parsing/expression.parser.js';
import { ROOT_WORDS, startsRoot } from './parsing/item-start.js';
import { quoted } from './parsing/quoted.js';
import type { AgentNode, ExpressionNode, SourceFile } from './syntax-tree.js';
import { Token } from './lexing/token.js';
import { TokenStream } from './parsing/token-stream.js';

export interface ParseResult {
  /** What could be read; `broken` expressions and empty names stand where something is missing. */
  readonly file: SourceFile;
  /** In the order of their places. Empty if the syntax is right. */
  readonly diagnostics: readonly Diagnostic[];
  /** In the order of the source. */
  readonly comments: readonly Comment[];
}

const BLOCKS = 'a file holds agent { … } blocks';

/**
 * Parses a `.agent` file, in time linear in its length. What is wrong is told in `diagnostics`.
 * @throws TypeError if `source` is no string.
 */
export function parse(source: string): ParseResult {
  const stream = open(source);
  return {
    file: { agents: parseFile(stream), span: { start: 0, end: source.length } },
    diagnostics: allDiagnostics(stream),
    comments: stream.lexed.comments,
  };
}

/**
 * Parses a text that is one expression.
 * @throws TypeError if `source` is no string.
 */
export function parseExpression(source: string): {
  readonly expression: ExpressionNode;
  readonly diagnostics: readonly Diagnostic[];
} {
  const stream = open(source);
  const expression = new ExpressionParser(stream, false).value();
  if (!stream.at(Token.End)) stream.missing('unexpected-token', 'Expected the end of the expression');
  return { expression, diagnostics: allDiagnostics(stream) };
}

/** Reads all agents of a stream; problems stay in it. */
export function parseFile(stream: TokenStream): readonly AgentNode[] {
  const agents: AgentNode[] = [];
  while (!stream.at(Token.End)) parseRoot(stream, agents);
  return agents;
}

function open(source: unknown): TokenStream {
  if (typeof source === 'string') return new TokenStream(source);
  throw new TypeError(`The source is ${source === null ? 'null' : `a ${typeof source}`}; give a string.`);
}

function parseRoot(stream: TokenStream, agents: AgentNode[]): void {
  const word = stream.text();
  if (stream.atWord('agent') || stream.atWord('stream')) {
    agents.push(parseAgent(stream));
  } else if (ROOT_WORDS.includes(word)) {
    stream.problemHere('unsupported-root', `"${word}" is not supported yet; ${BLOCKS}.`);
    passRoot(stream);
  } else if (!stream.at(Token.Name)) {
    stream.missing('unexpected-token', 'Expected "agent"', { hint: BLOCKS });
    stream.skipPast(() => startsRoot(stream));
  } else if (tellUnknownRoot(stream) === 'agent' && startsBlock(stream)) {
    agents.push(parseAgent(stream));
  } else passRoot(stream);
}

function tellUnknownRoot(stream: TokenStream): string | undefined {
  const nearest = nearestName(stream.text(), ROOT_WORDS);
  const hint = nearest === undefined ? {} : { hint: `did you mean "${nearest}"?` };
  stream.problemHere('unknown-root', `${quoted(stream.text())} begins nothing; ${BLOCKS}.`, hint);
  return nearest;
}

/** `word {` or `word name {`. */
function startsBlock(stream: TokenStream): boolean {
  return stream.at(Token.OpenBrace, 1) || (stream.at(Token.Name, 1) && stream.at(Token.OpenBrace, 2));
}

/** Passes a block with all in it, or what stands before the next one. */
function passRoot(stream: TokenStream): void {
  const brace = stream.at(Token.OpenBrace, 1) ? 1 : 2;
  const isClosed = startsBlock(stream) && stream.closing(stream.position + brace) !== -1;
  if (!isClosed) return stream.skipPast(() => startsRoot(stream));
  for (let n = 0; n < brace; n++) stream.take();
  stream.skipBracket();
}

/** The parser's problems, and the lexer's but for those in text that recovery passed over. */
function allDiagnostics(stream: TokenStream): readonly Diagnostic[] {
  // What is missing at the end of the token before stands at `start` itself.
  const isSkipped = ({ span }: Diagnostic): boolean =>
    stream.skipped.some(({ start, end }) => span.start > start && span.end <= end);
  return orderedDiagnostics([
    ...stream.lexed.diagnostics.filter((diagnostic) => !isSkipped(diagnostic)),
    ...stream.diagnostics,
  ]);
}
