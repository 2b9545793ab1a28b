import type { ExpressionNode } from '../syntax-tree.js';

/** The expressions directly inside one, in the order of the source. */
export function children(node: ExpressionNode): readonly ExpressionNode[] {
  switch (node.kind) {
    case 'literal':
    case 'variable':
    case 'broken':
      return [];
    case 'template':
      return node.parts.filter((part) => typeof part !== 'string');
    case 'array':
      return node.items;
    case 'object':
      return node.entries.map(({ value }) => value);
    case 'member':
      return [node.object];
    case 'index':
      return [node.object, node.index];
    case 'call':
      return [node.callee, ...node.arguments];
    case 'lambda':
      return [node.body];
    case 'unary':
      return [node.operand];
    case 'binary':
      return [node.left, node.right];
    case 'conditional':
      return [node.test, node.then, node.otherwise];
    default: {
      const branches = node.branches.flatMap(({ pattern, value }) => [pattern, value]);
      return [node.subject, ...branches, ...(node.otherwise ? [node.otherwise] : [])];
    }
  }
}

/** True if the tree has more than `limit` levels. Does not recurse. */
export function isHigherThan(root: ExpressionNode, limit: number): boolean {
  let level: readonly ExpressionNode[] = children(root);
  for (let height = 1; level.length > 0; height++) {
    if (height >= limit) return true;
    level = level.flatMap(children);
  }
  return false;
}
