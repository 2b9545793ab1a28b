import { children } from '../parsing/tree-height.js';
import type { ExpressionNode } from '../syntax-tree.js';

/** True if the parser could not read the expression, or a part of it, and has said so. */
export function isBroken(node: ExpressionNode): boolean {
  return some(node, ({ kind }) => kind === 'broken');
}

/** True if the expression or a part of it passes the test. */
export function some(root: ExpressionNode, test: (node: ExpressionNode) => boolean): boolean {
  return find(root, test) !== undefined;
}

/** The expression or a part of it that passes the test: the first one, where several do. */
export function find(
  root: ExpressionNode,
  test: (node: ExpressionNode) => boolean,
): ExpressionNode | undefined {
  const open = [root];
  for (let node = open.pop(); node; node = open.pop()) {
    if (test(node)) return node;
    for (const child of children(node).toReversed()) open.push(child);
  }
  return undefined;
}
