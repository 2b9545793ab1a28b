import type { ExpressionNode, TemplateNode } from '../syntax-tree.js';
import type { TokenStream } from './token-stream.js';
import { takeText } from './text.parser.js';
import { Token } from '../lexing/token.js';

/** Reads `"… ${expression} …"` from its first part on. The lexer has seen that it is closed. */
export function parseTemplate(stream: TokenStream, expression: () => ExpressionNode): TemplateNode {
  const start = stream.start();
  const parts: (string | ExpressionNode)[] = [];
  addText(stream, parts, 2);
  for (;;) {
    parts.push(expression());
    if (!atPart(stream)) {
      stream.missing('unexpected-token', 'Expected "}" after the expression');
      stream.skipUntil(() => atPart(stream));
    }
    if (!stream.at(Token.TemplateMiddle)) break;
    addText(stream, parts, 2);
  }
  if (stream.at(Token.TemplateTail)) addText(stream, parts, 1);
  return { kind: 'template', parts, span: stream.spanFrom(start) };
}

function atPart(stream: TokenStream): boolean {
  return stream.at(Token.TemplateMiddle) || stream.at(Token.TemplateTail);
}

/** Adds the fixed text of the current token, which closes with so many characters. */
function addText(stream: TokenStream, parts: (string | ExpressionNode)[], closing: number): void {
  const text = takeText(stream, closing);
  if (text !== '') parts.push(text);
}
