import type { ExpressionContext } from './expression.context.js';
import { startsValue } from './item-start.js';
import { parseList } from './list.parser.js';
import { parseKey } from './name.parser.js';
import type { ExpressionNode, NameNode, ObjectNode } from '../syntax-tree.js';
import { Token } from '../lexing/token.js';

interface Entry {
  readonly key: NameNode;
  readonly value: ExpressionNode;
}

/** Reads `{ key: value, "key": value }`; commas are optional. */
export function parseObject(context: ExpressionContext): ObjectNode {
  const { stream } = context;
  const start = stream.start();
  const open = stream.take();
  const rules = { commasOptional: true, stop: () => context.stops(), element: 'an entry' };
  const entries: Entry[] = [];
  context.inside(open, () =>
    parseList(stream, open, rules, () => {
      const entry = parseEntry(context);
      if (entry) entries.push(entry);
    }),
  );
  return { kind: 'object', entries, span: stream.spanFrom(start) };
}

function parseEntry(context: ExpressionContext): Entry | undefined {
  const { stream } = context;
  if (!stream.at(Token.Name) && !stream.at(Token.String)) {
    stream.missing('expected-name', 'Expected a key, a name or a string');
    return undefined;
  }
  const key = parseKey(stream);
  if (!stream.accept(Token.Colon)) {
    stream.missing('expected-colon', `Expected ":" after the key "${key.text}"`);
    const isNextKey = stream.at(Token.Colon, 1);
    stream.accept(Token.Equal);
    if (isNextKey || !startsValue(stream)) return undefined;
  }
  return { key, value: context.element() };
}
