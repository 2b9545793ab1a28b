import {
  Body,
  Controller,
  Get,
  HttpCode,
  Inject,
  NotFoundException,
  Param,
  Post,
  Query,
  UseFilters,
  BadRequestException,
} from '@nestjs/common';
import { AgentApprovalService, AgentLoopService, RunStores } from '@nestor/agent';
import type { PendingApproval, RunSummary } from '@nestor/core';
import { ProblemFilter } from '../problems/problem.filter.js';
import { parseApprovalBody } from './approval-body.js';

const MAX_LIMIT = 200;
const DEFAULT_LIMIT = 50;

export interface RunRecord extends RunSummary {
  /** Calls that wait for a person. */
  readonly pendingApprovals: readonly PendingApproval[];
}

/** What is known of runs, and what people do about them. */
@Controller('runs')
@UseFilters(ProblemFilter)
export class RunRecordsController {
  constructor(
    @Inject(RunStores) private readonly stores: RunStores,
    @Inject(AgentLoopService) private readonly loop: AgentLoopService,
    @Inject(AgentApprovalService) private readonly approvals: AgentApprovalService,
  ) {}

  /** Newest first. */
  @Get()
  async list(@Query('limit') limit?: string): Promise<{ readonly runs: readonly RunSummary[] }> {
    return { runs: await this.stores.runs.list({ limit: parseLimit(limit) }) };
  }

  @Get(':id')
  async find(@Param('id') id: string): Promise<RunRecord> {
    const summary = await this.#summary(id);
    const pendingApprovals = this.stores.durable ? await this.approvals.pending(id) : [];
    return { ...summary, pendingApprovals };
  }

  /** Aborts a run of this process; it ends as `aborted`. */
  @Post(':id/cancel')
  @HttpCode(202)
  async cancel(@Param('id') id: string): Promise<{ readonly runId: string; readonly cancelled: boolean }> {
    await this.#summary(id);
    return { runId: id, cancelled: this.loop.cancel(id, 'cancelled over HTTP') };
  }

  @Post(':id/approvals/:callId')
  @HttpCode(202)
  async decide(
    @Param('id') id: string,
    @Param('callId') callId: string,
    @Body() body: unknown,
  ): Promise<{ readonly runId: string; readonly toolCallId: string }> {
    await this.approvals.decide(id, callId, parseApprovalBody(body));
    return { runId: id, toolCallId: callId };
  }

  async #summary(id: string): Promise<RunSummary> {
    const summary = await this.stores.runs.find(id);
    if (summary) return summary;
    throw new NotFoundException(`There is no run "${id.slice(0, 100)}", or its record is gone.`);
  }
}

function parseLimit(limit: string | undefined): number {
  if (limit === undefined) return DEFAULT_LIMIT;
  const number = Number(limit);
  if (Number.isInteger(number) && number >= 1 && number <= MAX_LIMIT) return number;
  throw new BadRequestException(
    `limit is "${limit.slice(0, 20)}"; it must be a whole number from 1 to ${MAX_LIMIT}.`,
  );
}
