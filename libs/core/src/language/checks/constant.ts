import type { ExpressionNode } from '../syntax-tree.js';

/** The value of an expression that is made of literals only; undefined if it names something or calculates. */
export function constantOf(node: ExpressionNode): unknown {
  switch (node.kind) {
    case 'literal':
      return node.value;
    case 'unary': {
      const value = node.operator === '-' && node.operand.kind === 'literal' ? node.operand.value : undefined;
      return typeof value === 'number' ? -value : undefined;
    }
    case 'array':
      return allDefined(node.items.map(constantOf));
    case 'object': {
      const values = allDefined(node.entries.map(({ value }) => constantOf(value)));
      return values && Object.fromEntries(node.entries.map(({ key }, index) => [key.text, values[index]]));
    }
    default:
      return undefined;
  }
}

/** True for `25ms`, `3s` and the like. */
export function isDuration(node: ExpressionNode): boolean {
  return node.kind === 'literal' ? node.duration : node.kind === 'unary' && isDuration(node.operand);
}

function allDefined(values: readonly unknown[]): readonly unknown[] | undefined {
  return values.includes(undefined) ? undefined : values;
}
