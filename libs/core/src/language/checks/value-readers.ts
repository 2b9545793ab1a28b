import { quoted } from '../parsing/quoted.js';
import type { ExpressionNode } from '../syntax-tree.js';
import { find, isBroken } from './broken.js';
import { constantOf, isDuration } from './constant.js';
import type { Problems } from './problems.js';
import { shownNode } from './shown-node.js';
import { suggestion } from './suggestion.js';

/** Gives the value of a property, or tells what is wrong with it and gives undefined. */
export type Reader<T> = (node: ExpressionNode, property: string, problems: Problems) => T | undefined;

/** A text without `${…}` that is not blank. */
export function textReader(example: string): Reader<string> {
  return (node, property, problems) => {
    const value = constantOf(node);
    if (typeof value === 'string' && value.trim() !== '') return value;
    const code = typeof value === 'string' ? 'out-of-range' : 'wrong-type';
    return refuse(node, property, problems, { code, must: `be a text such as "${example}"` });
  };
}

/** A text without `${…}`, also an empty one. */
export const readText: Reader<string> = (node, property, problems) => {
  const value = constantOf(node);
  return typeof value === 'string' ? value : refuse(node, property, problems, { must: 'be a fixed text' });
};

/** A whole number. */
export function wholeReader(least: number): Reader<number> {
  const must = `be a whole number >= ${least}`;
  return (node, property, problems) => {
    const value = constantOf(node);
    if (typeof value !== 'number' || isDuration(node)) return refuse(node, property, problems, { must });
    if (Number.isSafeInteger(value) && value >= least) return value;
    return refuse(node, property, problems, { code: 'out-of-range', must });
  };
}

export const readNumber: Reader<number> = (node, property, problems) => {
  const value = constantOf(node);
  return typeof value === 'number' && !isDuration(node)
    ? value
    : refuse(node, property, problems, { must: 'be a number' });
};

const DAY = 86_400_000;

/** A duration, or its milliseconds. */
export function timeReader(most: number): Reader<number> {
  return (node, property, problems) => {
    const value = constantOf(node);
    if (typeof value !== 'number') {
      return refuse(node, property, problems, { must: 'be a duration such as 30s, or a number of ms' });
    }
    if (Number.isSafeInteger(value) && value >= 1 && value <= most) return value;
    const hint =
      value > most ? `write ${Math.floor(most / DAY)}d or less` : 'write a time such as 500ms or 30s';
    return refuse(node, property, problems, { code: 'out-of-range', must: `be from 1ms to ${most}ms`, hint });
  };
}

export const readFlag: Reader<boolean> = (node, property, problems) => {
  const value = constantOf(node);
  return typeof value === 'boolean' ? value : refuse(node, property, problems, { must: 'be true or false' });
};

/** One of some words, in quotes. */
export function wordReader<const T extends string>(words: readonly T[]): Reader<T> {
  const must = `be ${words.map((word) => `"${word}"`).join(' or ')}`;
  return (node, property, problems) => {
    const value = constantOf(node);
    const word = words.find((known) => known === value);
    if (word !== undefined || typeof value !== 'string')
      return word ?? refuse(node, property, problems, { must });
    const hint = suggestion(problems.nearest(value, words), '');
    return refuse(node, property, problems, { code: 'out-of-range', must, ...(hint && { hint }) });
  };
}

/** What the reader reads, or `null`. */
export function orNull<T>(reader: Reader<T>): Reader<T | null> {
  return (node, property, problems) =>
    node.kind === 'literal' && node.value === null ? null : reader(node, property, problems);
}

interface Refusal {
  /** Default `wrong-type`. */
  readonly code?: string;
  readonly must: string;
  readonly hint?: string;
}

/** Tells that a value cannot be a property's; nothing if the parser has told of it. */
export function refuse(
  node: ExpressionNode,
  property: string,
  problems: Problems,
  { code = 'wrong-type', must, hint = likelyRemedy(node, must) }: Refusal,
): undefined {
  if (isBroken(node)) return undefined;
  const toolArgs = find(node, (part) => part.kind === 'variable' && part.name === 'tool_args');
  if (toolArgs) return tellToolArgs(toolArgs, property, problems);
  const details = hint === undefined ? {} : { hint };
  problems.error(code, node.span, `"${property}" must ${must}, but it is ${shownNode(node)}.`, details);
  return undefined;
}

/** Tells that `tool_args` stands where there are none. */
export function tellToolArgs(
  { span }: Pick<ExpressionNode, 'span'>,
  place: string,
  problems: Problems,
): undefined {
  const hint =
    place === 'exit_condition'
      ? 'use tool_calls, which have the arguments of this turn, or tool_results'
      : 'the arguments of a call exist only while the input of its tool is made';
  problems.error(
    'tool-args-outside-input',
    span,
    `"tool_args" is not known in ${place}: it stands inside the input { … } of a tool only.`,
    { hint },
  );
  return undefined;
}

function likelyRemedy(node: ExpressionNode, must: string): string | undefined {
  if (node.kind === 'variable' && /text|"/.test(must)) return `texts stand in quotes: "${node.name}"`;
  const text = node.kind === 'literal' && typeof node.value === 'string' ? node.value : undefined;
  const isQuoted =
    text !== undefined &&
    (/number|ms/.test(must) ? /^\d+(?:\.\d+)?(?:ms|[smhd])?$/ : /^(?:true|false)$/).test(text);
  return isQuoted ? `write ${quoted(text).slice(1, -1)}, without quotes` : undefined;
}
