import {
  BadRequestException,
  Body,
  Controller,
  Get,
  HttpCode,
  Inject,
  NotFoundException,
  Param,
  Post,
  Query,
  Req,
  UseFilters,
} from '@nestjs/common';
import {
  ActiveRuns,
  AgentApprovalService,
  AgentLoopService,
  AgentRegistry,
  RunRecovery,
  RunStores,
} from '@nestor/agent';
import {
  AgentException,
  type PendingApproval,
  type RunOutcome,
  type RunStatus,
  type RunSummary,
} from '@nestor/core';
import { ProblemFilter } from '../problems/problem.filter.js';
import { QueryParameters } from '../query-parameters.js';
import { parseApprovalBody } from './approval-body.js';
import { sendsJson, type PlatformRequest } from './http-exchange.js';
import { NotResumableException } from './not-resumable.exception.js';
import { runSteps, type RunStep } from './run-steps.js';

const MAX_LIMIT = 200;
const DEFAULT_LIMIT = 50;
const STATUSES = [
  'queued',
  'running',
  'suspended',
  'completed',
  'failed',
  'aborted',
] as const satisfies readonly RunStatus[];

export interface RunPage {
  /** Newest first. */
  readonly runs: readonly RunSummary[];
  /** The `cursor` of the next page; absent on the last one. */
  readonly next?: string;
}

/** A run as it stands. Nothing of its caller, of its session's history or of the system prompt is in it. */
export interface RunRecord extends Omit<RunSummary, 'outcome'> {
  readonly outcome: Omit<RunOutcome, 'output'> | undefined;
  /** What it answered; absent as long as it has not. */
  readonly output: RunOutcome['output'];
  /** Calls that wait for a person. */
  readonly pendingApprovals: readonly PendingApproval[];
  /** What it did so far; absent where the store does not keep it. */
  readonly steps?: readonly RunStep[];
}

/** What is known of runs, and what people do about them. */
@Controller('runs')
@UseFilters(ProblemFilter)
export class RunRecordsController {
  constructor(
    @Inject(RunStores) private readonly stores: RunStores,
    @Inject(AgentLoopService) private readonly loop: AgentLoopService,
    @Inject(AgentApprovalService) private readonly approvals: AgentApprovalService,
    @Inject(ActiveRuns) private readonly active: ActiveRuns,
    @Inject(RunRecovery) private readonly recovery: RunRecovery,
    @Inject(AgentRegistry) private readonly agents: AgentRegistry,
  ) {}

  @Get()
  async list(@Query() query: Readonly<Record<string, unknown>>): Promise<RunPage> {
    const parameters = new QueryParameters(query, ['agent', 'session', 'status', 'limit', 'cursor']);
    const limit = parameters.number('limit', 1, MAX_LIMIT) ?? DEFAULT_LIMIT;
    const [agentId, sessionId, before] = ['agent', 'session', 'cursor'].map((name) => parameters.text(name));
    const status = parameters.choice('status', STATUSES);
    if (before !== undefined) await this.#checkCursor(before);
    const found = await this.stores.runs.list({
      limit: limit + 1,
      ...(agentId !== undefined && { agentId }),
      ...(sessionId !== undefined && { sessionId }),
      ...(status !== undefined && { status }),
      ...(before !== undefined && { before }),
    });
    const runs = found.slice(0, limit);
    const last = runs.at(-1);
    return { runs, ...(found.length > limit && last && { next: last.runId }) };
  }

  @Get(':id')
  async find(@Param('id') id: string): Promise<RunRecord> {
    const summary = await this.#summary(id);
    const history = await this.stores.durable?.history(id);
    return {
      ...summary,
      ...separated(summary.outcome),
      pendingApprovals: await this.#pending(id),
      ...(history && { steps: runSteps(history, summary.endedAt !== undefined) }),
    };
  }

  /** Aborts a run, which ends as `aborted`. `cancelled` is false if it is not under way. */
  @Post(':id/cancel')
  @HttpCode(202)
  async cancel(@Param('id') id: string): Promise<{ readonly runId: string; readonly cancelled: boolean }> {
    await this.#summary(id);
    return { runId: id, cancelled: await this.loop.cancel(id, 'cancelled over HTTP') };
  }

  /** Takes over a run that stands still. `resumed` is false if this process works on it already. */
  @Post(':id/resume')
  @HttpCode(202)
  async resume(@Param('id') id: string): Promise<{ readonly runId: string; readonly resumed: boolean }> {
    const summary = await this.#summary(id);
    const { durable } = this.stores;
    if (!durable) throw NotResumableException.notDurable(id);
    if (this.#isUnderWayHere(id)) return { runId: id, resumed: false };
    if (summary.endedAt === undefined && !this.agents.has(summary.agentId)) {
      throw NotResumableException.withoutAgent(summary);
    }
    const recovered = await durable.claim(id);
    if (!recovered) {
      throw NotResumableException.because((await durable.find(id)) ?? summary, await this.#pending(id));
    }
    // Nobody waits here for the run: it ends, or waits again, in its own time, and logs what it fails with.
    void this.recovery.goOn(recovered);
    return { runId: id, resumed: true };
  }

  @Post(':id/approvals/:callId')
  @HttpCode(202)
  async decide(
    @Param('id') id: string,
    @Param('callId') callId: string,
    @Body() body: unknown,
    @Req() request: PlatformRequest,
  ): Promise<{ readonly runId: string; readonly toolCallId: string }> {
    await this.approvals.decide(id, callId, parseApprovalBody(sendsJson(request) ? body : undefined), {
      caller: request,
    });
    return { runId: id, toolCallId: callId };
  }

  /** @throws BadRequestException */
  async #checkCursor(runId: string): Promise<void> {
    if (await this.stores.runs.find(runId)) return;
    throw new BadRequestException(
      `cursor is "${runId.slice(0, 50)}"; it must be the next of the page before. List from the start again.`,
    );
  }

  /** @throws ShuttingDownException */
  #isUnderWayHere(id: string): boolean {
    try {
      this.active.admit(id);
      return false;
    } catch (error) {
      if (error instanceof AgentException && error.code === 'duplicate_run') return true;
      throw error;
    }
  }

  async #pending(id: string): Promise<readonly PendingApproval[]> {
    return this.stores.durable ? this.approvals.pending(id) : [];
  }

  async #summary(id: string): Promise<RunSummary> {
    const summary = await this.stores.runs.find(id);
    if (summary) return summary;
    throw new NotFoundException(`There is no run "${id.slice(0, 100)}", or its record is gone.`);
  }
}

function separated(ended: RunOutcome | undefined): Pick<RunRecord, 'outcome' | 'output'> {
  if (!ended) return { outcome: undefined, output: undefined };
  const { output, ...outcome } = ended;
  return { outcome, output };
}
