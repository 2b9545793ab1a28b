import type { ExpressionNode } from '../syntax-tree.js';
import type { TokenStream } from './token-stream.js';

/** What the parsers of an expression's parts share. */
export interface ExpressionContext {
  readonly stream: TokenStream;
  /** True inside `test ? here : …`, brackets between left out. */
  readonly inConditional: boolean;
  /** Reads an expression; where there is none, tells so and gives a `broken` node without taking a token. */
  expression(): ExpressionNode;
  /** Reads an expression of a list or assignment, where a `->` after it is told to be misplaced. */
  element(): ExpressionNode;
  /** Reads the subject of a `when`, where `input {` is a variable before the branches. */
  subject(): ExpressionNode;
  /** Reads a pattern of a `when`. */
  pattern(): ExpressionNode;
  /** Reads what stands in the brackets whose opening one, at index `open`, has been taken. */
  inside<T>(open: number, read: () => T): T;
  /** True where an expression cannot go on, as something of the body begins. */
  stops(): boolean;
  /** True if the word after a dot is no field, as it surely begins something of the body. */
  lacksField(): boolean;
}
