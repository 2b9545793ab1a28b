import { AgentException } from './agent.exception.js';

export type ExpressionLimit = 'steps' | 'nesting' | 'text' | 'output';

const MESSAGES: Readonly<Record<ExpressionLimit, (most: number) => string>> = {
  steps: (most) =>
    `The expression took more than ${most} steps. Let it look at fewer or shorter values, or do the work in a tool.`,
  nesting: (most) =>
    `The expression, or a value it gives or joins to text, is nested deeper than ${most} levels or contains itself. ` +
    'Split the expression, or name the field that is needed instead of the whole value.',
  text: (most) =>
    `The expression would make a text of more than ${most} characters. Shorten its parts, or do the work in a tool.`,
  output: (most) =>
    `The expression gives a value of more than ${most} characters. Name the fields that are needed, or do the work in a tool.`,
};

/** Thrown when an expression of the agent language would take too long or grow too large. */
export class ExpressionLimitException extends AgentException {
  readonly limit: ExpressionLimit;

  constructor(limit: ExpressionLimit, most: number) {
    super(MESSAGES[limit](most), { code: 'expression_limit' });
    this.limit = limit;
  }
}
