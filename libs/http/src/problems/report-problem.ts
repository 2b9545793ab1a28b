import { Logger } from '@nestjs/common';
import { toProblem, type Problem } from './problem.js';

const logger = new Logger('AgentHttp');

/** What the outside is told of an error. What it is not told goes to the log. */
export function reportProblem(error: unknown): Problem {
  const problem = toProblem(error);
  if (problem.status === 500) {
    logger.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
  } else if (problem.status > 500) {
    logger.warn(error instanceof Error ? error.message : String(error));
  }
  return problem;
}
