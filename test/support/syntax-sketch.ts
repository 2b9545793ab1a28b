import type { ExpressionNode, SourceFile } from '../../libs/core/src/language/syntax-tree.js';

/** An expression as nested lists, operators first: `(+ 1 (* 2 3))`. */
export function sketch(node: ExpressionNode): string {
  const list = (...parts: readonly string[]): string => `(${parts.join(' ')})`;
  switch (node.kind) {
    case 'literal':
      return JSON.stringify(node.value) + (node.duration ? 'ms' : '');
    case 'template':
      return list(
        'template',
        ...node.parts.map((part) => (typeof part === 'string' ? JSON.stringify(part) : sketch(part))),
      );
    case 'array':
      return `[${node.items.map(sketch).join(' ')}]`;
    case 'object':
      return `{${node.entries.map(({ key, value }) => `${key.text}: ${sketch(value)}`).join(', ')}}`;
    case 'variable':
      return node.name;
    case 'member':
      return list(node.optional ? '?.' : '.', sketch(node.object), node.property.text);
    case 'index':
      return list(node.optional ? '?[]' : '[]', sketch(node.object), sketch(node.index));
    case 'call':
      return list('call', sketch(node.callee), ...node.arguments.map(sketch));
    case 'lambda':
      return list('->', node.parameter.text, sketch(node.body));
    case 'unary':
      return list(node.operator, sketch(node.operand));
    case 'binary':
      return list(node.operator, sketch(node.left), sketch(node.right));
    case 'conditional':
      return list('?', sketch(node.test), sketch(node.then), sketch(node.otherwise));
    case 'when': {
      const branches = node.branches.map(({ pattern, value }) => list(sketch(pattern), sketch(value)));
      const otherwise = node.otherwise ? [list('otherwise', sketch(node.otherwise))] : [];
      return list('when', sketch(node.subject), ...branches, ...otherwise);
    }
    default:
      return '<broken>';
  }
}

/** A tree as plain data, its places left out. */
export function withoutSpans(file: SourceFile): unknown {
  return JSON.parse(JSON.stringify(file, (key, value: unknown) => (key === 'span' ? undefined : value)));
}
