import { Catch, Inject, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { toProblem } from './problem.js';

/** Answers every error as `application/problem+json`. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  readonly #logger = new Logger('AgentHttp');

  constructor(@Inject(HttpAdapterHost) private readonly adapterHost: HttpAdapterHost) {}

  catch(error: unknown, host: ArgumentsHost): void {
    // A global filter is also asked about tool calls; what a tool throws is the loop's affair.
    if (host.getType() !== 'http') throw error;
    const { httpAdapter } = this.adapterHost;
    const response: unknown = host.switchToHttp().getResponse();
    const problem = toProblem(error);
    if (problem.status >= 500) this.#log(error, problem.status);
    if (httpAdapter.isHeadersSent(response)) {
      httpAdapter.end(response);
      return;
    }
    httpAdapter.setHeader(response, 'content-type', 'application/problem+json');
    httpAdapter.reply(response, JSON.stringify(problem), problem.status);
  }

  #log(error: unknown, status: number): void {
    if (status === 500)
      this.#logger.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
    else this.#logger.warn(error instanceof Error ? error.message : String(error));
  }
}
