import { quoted } from '../parsing/quoted.js';
import type { ExpressionNode } from '../syntax-tree.js';
import { constantOf } from './constant.js';

/** What a value is, in a message. */
export function shownNode(node: ExpressionNode): string {
  switch (node.kind) {
    case 'literal':
      if (node.duration) return `a duration of ${String(node.value)} ms`;
      return typeof node.value === 'string' ? `the text ${quoted(node.value)}` : String(node.value);
    case 'template':
      return 'a text with "${…}"';
    case 'array':
      return constantOf(node) === undefined ? 'a list with an expression in it' : 'a list';
    case 'object':
      return constantOf(node) === undefined ? 'an object with an expression in it' : 'an object';
    case 'variable':
      return `the name ${quoted(node.name)}`;
    case 'unary':
      return node.operator === '-' && node.operand.kind === 'literal' && !node.operand.duration
        ? `-${String(node.operand.value)}`
        : 'an expression';
    default:
      return 'an expression';
  }
}
