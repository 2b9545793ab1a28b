import { Catch, Inject, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { reportProblem } from './report-problem.js';

/** Answers every error as `application/problem+json`. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(@Inject(HttpAdapterHost) private readonly adapterHost: HttpAdapterHost) {}

  catch(error: unknown, host: ArgumentsHost): void {
    // A global filter is also asked about tool calls; what a tool throws is the loop's affair.
    if (host.getType() !== 'http') throw error;
    const { httpAdapter } = this.adapterHost;
    const response: unknown = host.switchToHttp().getResponse();
    const problem = reportProblem(error);
    if (httpAdapter.isHeadersSent(response)) {
      httpAdapter.end(response);
      return;
    }
    httpAdapter.setHeader(response, 'content-type', 'application/problem+json');
    if (problem.retryAfter !== undefined) {
      httpAdapter.setHeader(response, 'retry-after', String(problem.retryAfter));
    }
    httpAdapter.reply(response, JSON.stringify(problem), problem.status);
  }
}
