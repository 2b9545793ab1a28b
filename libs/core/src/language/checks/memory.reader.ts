import { AgentMemoryStrategy } from '../../memory/agent-memory-strategy.js';
import { quoted } from '../parsing/quoted.js';
import type { CallNode, ExpressionNode } from '../syntax-tree.js';
import type { Problems } from './problems.js';
import { suggestion } from './suggestion.js';
import { refuse, wholeReader, type Reader } from './value-readers.js';

type Strategy = (size: number) => AgentMemoryStrategy;

const SIZED: ReadonlyMap<string, Strategy> = new Map([
  ['sliding_window', AgentMemoryStrategy.slidingWindow],
  ['token_budget', AgentMemoryStrategy.tokenBudget],
  ['summary', AgentMemoryStrategy.summary],
]);
const NAMES = ['full', ...SIZED.keys()];
const FORMS = 'full(), sliding_window(n), token_budget(n) or summary(n)';

const readSize = wholeReader(1);

/** Reads `full()`, `sliding_window(n)`, `token_budget(n)`, `summary(n)`. */
export const readMemory: Reader<AgentMemoryStrategy> = (node, property, problems) => {
  if (node.kind !== 'call' || node.callee.kind !== 'variable')
    return refuse(node, property, problems, { must: `be ${FORMS}`, ...missingCall(node) });
  const { name } = node.callee;
  const strategy = SIZED.get(name);
  if (strategy) return sized(name, strategy, node, problems);
  if (name !== 'full') return unknownStrategy(name, node.callee, problems);
  if (node.arguments.length === 0) return AgentMemoryStrategy.full();
  return tellCount(node, 'full', 'no argument', 'write full()', problems);
};

function sized(
  name: string,
  strategy: Strategy,
  call: CallNode,
  problems: Problems,
): AgentMemoryStrategy | undefined {
  const [size, second] = call.arguments;
  if (!size || second) {
    const hint =
      name === 'token_budget' ? 'write the tokens: token_budget(8000)' : `write the messages: ${name}(20)`;
    return tellCount(call, name, '1 argument', hint, problems);
  }
  const value = readSize(size, `${name}(n)`, problems);
  return value === undefined ? undefined : strategy(value);
}

function tellCount(
  { arguments: given, span }: CallNode,
  name: string,
  count: string,
  hint: string,
  problems: Problems,
): undefined {
  if (!problems.isWhole(span)) return;
  const message = `"${name}" takes ${count}, but has ${given.length}.`;
  problems.error('wrong-argument-count', span, message, { hint });
}

function unknownStrategy(name: string, { span }: ExpressionNode, problems: Problems): undefined {
  if (name === 'custom') {
    problems.error('custom-memory', span, 'A custom memory can be given in TypeScript only.', {
      hint: 'AgentBuilder.from(def).memory(AgentMemoryStrategy.custom(factory))',
    });
    return undefined;
  }
  const hint = suggestion(problems.nearest(name, NAMES), `there are ${FORMS}`);
  problems.error('unknown-memory', span, `${quoted(name)} is no memory strategy.`, { hint });
  return undefined;
}

/** `full` and `"full"` for `full()`. */
function missingCall(node: ExpressionNode): { readonly hint?: string } {
  const name = node.kind === 'variable' ? node.name : node.kind === 'literal' ? node.value : undefined;
  if (typeof name !== 'string' || !NAMES.includes(name)) return {};
  return { hint: `write ${name}(${name === 'full' ? '' : '20'})` };
}
