import { Body, Controller, Inject, Param, Post, Req, Res, UseFilters } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { AgentLoopService, AgentRegistry, RunStores, type AgentRunStream } from '@nestor/agent';
import { ProblemFilter } from '../problems/problem.filter.js';
import { reportProblem } from '../problems/report-problem.js';
import { EventStream } from './event-stream.js';
import {
  clientSignal,
  prefersAsync,
  sendsJson,
  takeOver,
  wantsEventStream,
  type PlatformRequest,
  type PlatformResponse,
} from './http-exchange.js';
import { parseRunBody } from './run-body.js';
import { shownChunk, shownOutput } from './shown-output.js';

/** Starts runs: answered as JSON, as server-sent events to a client that accepts them, or with the run's id at once. */
@Controller('agents')
@UseFilters(ProblemFilter)
export class RunsController {
  constructor(
    @Inject(AgentLoopService) private readonly loop: AgentLoopService,
    @Inject(AgentRegistry) private readonly agents: AgentRegistry,
    @Inject(RunStores) private readonly stores: RunStores,
    @Inject(HttpAdapterHost) private readonly adapterHost: HttpAdapterHost,
  ) {}

  @Post(':name/runs')
  async run(
    @Param('name') name: string,
    @Body() body: unknown,
    @Req() request: PlatformRequest,
    @Res() response: PlatformResponse,
  ): Promise<void> {
    this.agents.get(name);
    const { input, sessionId, context } = parseRunBody(sendsJson(request) ? body : undefined);
    const asked = { sessionId, context: context ? { request: context } : {}, caller: request };
    if (prefersAsync(request)) {
      const runId = await this.loop.start(name, input, asked);
      this.adapterHost.httpAdapter.reply(response, { runId }, 202);
      return;
    }
    // A durable run goes on without its client, who can ask for it by its id.
    const options = { ...asked, signal: this.stores.durable ? undefined : clientSignal(response) };
    if (wantsEventStream(request)) {
      await sendEvents(this.loop.stream(name, input, options), response);
      return;
    }
    const output = await this.loop.run(name, input, options);
    // A run that waits for a person was taken on, and has no answer yet.
    this.adapterHost.httpAdapter.reply(
      response,
      shownOutput(output),
      output.exitReason === 'suspended' ? 202 : 200,
    );
  }
}

async function sendEvents(stream: AgentRunStream, response: PlatformResponse): Promise<void> {
  const events = new EventStream(takeOver(response));
  try {
    for await (const chunk of stream) {
      const behind = events.send(chunk.type, shownChunk(chunk));
      if (behind) await behind;
    }
  } catch (error) {
    await events.send('error', reportProblem(error));
  } finally {
    events.close();
  }
}
