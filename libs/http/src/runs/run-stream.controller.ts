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
import { HttpAdapterHost } from '@nestjs/core';
import { AgentLoopService, RunStores, ShuttingDownException } from '@nestor/agent';
import { doneSequence, recordedChunks, type RunSummary } from '@nestor/core';
import { ProblemFilter } from '../problems/problem.filter.js';
import { QueryParameters, wholeNumber } from '../query-parameters.js';
import { lastEventId, type PlatformRequest, type PlatformResponse } from './http-exchange.js';
import { RunFollowers } from './run-followers.js';
import { shownChunk } from './shown-output.js';

/** Follows durable runs from anywhere: the chunks of a run as server-sent events, whoever started and executes it. */
@Controller('runs')
@UseFilters(ProblemFilter)
export class RunStreamController {
  constructor(
    @Inject(AgentLoopService) private readonly loop: AgentLoopService,
    @Inject(RunStores) private readonly stores: RunStores,
    @Inject(RunFollowers) private readonly followers: RunFollowers,
    @Inject(HttpAdapterHost) private readonly adapterHost: HttpAdapterHost,
  ) {}

  @Get(':id/stream')
  async stream(
    @Param('id') runId: string,
    @Query() query: Readonly<Record<string, unknown>>,
    @Req() request: PlatformRequest,
    @Res() response: PlatformResponse,
  ): Promise<void> {
    const given = placeOf('after', new QueryParameters(query, ['after']).text('after'));
    // A client that comes again asks with the same address, and says in the header how far it got.
    const after = placeOf('Last-Event-ID', lastEventId(request)) ?? given ?? 0;
    const run = await this.stores.runs.find(runId);
    if (!run) throw new NotFoundException(`There is no run "${runId.slice(0, 100)}", or its record is gone.`);
    if (await this.#hasAll(run, after)) {
      // 204 is how an EventSource is told not to come again.
      this.adapterHost.httpAdapter.reply(response, undefined, 204);
      return;
    }
    const end = new AbortController();
    const chunks = this.loop.attach(runId, { from: after + 1, signal: end.signal });
    await this.followers.follow(response, after, end, async (events) => {
      for await (const { sequence, chunk } of chunks) {
        await events.send(chunk.type, shownChunk(chunk), sequence);
      }
      if (end.signal.reason instanceof ShuttingDownException) throw end.signal.reason;
    });
  }

  async #hasAll({ runId, status }: RunSummary, after: number): Promise<boolean> {
    const history = after > 0 ? await this.stores.durable?.history(runId) : undefined;
    const done = history && doneSequence(recordedChunks(history).length, status);
    return done !== undefined && after >= done;
  }
}

/** A number, or the half one of the `done` of a run that waits. @throws BadRequestException */
function placeOf(name: string, value: string | undefined): number | undefined {
  const whole = wholeNumber(name, value?.replace(/\.5$/, ''), 0, Number.MAX_SAFE_INTEGER);
  return whole !== undefined && value?.endsWith('.5') ? whole + 0.5 : whole;
}
