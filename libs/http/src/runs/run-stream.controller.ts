import {
  Controller,
  Get,
  Inject,
  NotFoundException,
  Param,
  Query,
  Req,
  Res,
  UseFilters,
} from '@nestjs/common';
import type { OnModuleDestroy } from '@nestjs/common';
import { AgentLoopService, RunStores, ShuttingDownException } from '@nestor/agent';
import { onAbort } from '@nestor/core';
import { ProblemFilter } from '../problems/problem.filter.js';
import { reportProblem } from '../problems/report-problem.js';
import { QueryParameters, wholeNumber } from '../query-parameters.js';
import { EventStream } from './event-stream.js';
import {
  clientSignal,
  lastEventId,
  takeOver,
  type PlatformRequest,
  type PlatformResponse,
} from './http-exchange.js';

const MOST = Number.MAX_SAFE_INTEGER;

/** Follows durable runs from anywhere: the chunks of a run as server-sent events, whoever started and executes it. */
@Controller('runs')
@UseFilters(ProblemFilter)
export class RunStreamController implements OnModuleDestroy {
  readonly #shutdown = new AbortController();

  constructor(
    @Inject(AgentLoopService) private readonly loop: AgentLoopService,
    @Inject(RunStores) private readonly stores: RunStores,
  ) {}

  /** Before the server closes, which an open stream would hold up. */
  onModuleDestroy(): void {
    this.#shutdown.abort(new ShuttingDownException());
  }

  @Get(':id/stream')
  async stream(
    @Param('id') runId: string,
    @Query() query: Readonly<Record<string, unknown>>,
    @Req() request: PlatformRequest,
    @Res() response: PlatformResponse,
  ): Promise<void> {
    const given = new QueryParameters(query, ['after']).number('after', 0, MOST);
    // A client that comes again asks with the same address, and says in the header how far it got.
    const after = wholeNumber('Last-Event-ID', lastEventId(request), 0, MOST) ?? given ?? 0;
    if (!(await this.stores.runs.find(runId))) {
      throw new NotFoundException(`There is no run "${runId.slice(0, 100)}", or its record is gone.`);
    }
    const end = new AbortController();
    const chunks = this.loop.attach(runId, { from: after + 1, signal: end.signal });
    const stops = [clientSignal(response), this.#shutdown.signal].map((signal) =>
      onAbort(signal, () => end.abort(signal.reason)),
    );
    try {
      await this.#send(chunks, new EventStream(takeOver(response)), end.signal);
    } finally {
      for (const stop of stops) stop();
    }
  }

  async #send(
    chunks: ReturnType<AgentLoopService['attach']>,
    events: EventStream,
    signal: AbortSignal,
  ): Promise<void> {
    try {
      for await (const { sequence, chunk } of chunks) await events.send(chunk.type, chunk, sequence);
      if (this.#shutdown.signal.aborted) await events.send('error', reportProblem(signal.reason));
    } catch (error) {
      await events.send('error', reportProblem(error));
    } finally {
      events.close();
    }
  }
}
