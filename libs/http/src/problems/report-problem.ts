import { Logger } from '@nestjs/common';
import { toProblem, type Problem } from './problem.js';

const logger = new Logger('AgentHttp');

/** What the outside is told of an error. What it is not told goes to the log. */
export function reportProblem(error: unknown): Problem {
  const problem = toProblem(error);
  if (problem.status === 500) {
    logger.error(stackOf(error));
  } else if (problem.status > 500) {
    logger.warn(error instanceof Error ? error.message : String(error));
  }
  return problem;
}

/** With what caused it: the error that leaves a run only wraps the one that says where. */
function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const stack = error.stack ?? error.message;
  return error.cause instanceof Error ? `${stack}\nCaused by ${stackOf(error.cause)}` : stack;
}
