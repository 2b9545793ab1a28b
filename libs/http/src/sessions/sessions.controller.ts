import {
  Controller,
  Delete,
  Get,
  HttpCode,
  Inject,
  NotFoundException,
  Param,
  Query,
  UseFilters,
} from '@nestjs/common';
import { AgentSessions, RunStores } from '@nestor/agent';
import { AgentException, type LlmMessage, type SessionSummary } from '@nestor/core';
import { ProblemFilter } from '../problems/problem.filter.js';
import { QueryParameters } from '../query-parameters.js';

const MAX_SESSIONS = 200;
const DEFAULT_SESSIONS = 50;
const MAX_MESSAGES = 10_000;

/** What was said in a session, tool calls and their results included. */
export interface SessionTranscript {
  readonly sessionId: string;
  /** Grows with every run. */
  readonly version: number;
  readonly messages: readonly LlmMessage[];
}

/** Conversations across runs. */
@Controller('sessions')
@UseFilters(ProblemFilter)
export class SessionsController {
  constructor(
    @Inject(AgentSessions) private readonly sessions: AgentSessions,
    @Inject(RunStores) private readonly stores: RunStores,
  ) {}

  /** Latest used first. */
  @Get()
  async list(
    @Query() query: Readonly<Record<string, unknown>>,
  ): Promise<{ readonly sessions: readonly SessionSummary[] }> {
    const limit = new QueryParameters(query, ['limit']).number('limit', 1, MAX_SESSIONS) ?? DEFAULT_SESSIONS;
    return { sessions: await this.sessions.store.list({ limit }) };
  }

  /** With `limit` the latest messages only. */
  @Get(':id')
  async find(
    @Param('id') sessionId: string,
    @Query() query: Readonly<Record<string, unknown>>,
  ): Promise<SessionTranscript> {
    const limit = new QueryParameters(query, ['limit']).number('limit', 1, MAX_MESSAGES);
    const { version, messages } = await this.sessions.store.load(sessionId);
    if (version === 0) throw new NotFoundException(`There is no session "${sessionId.slice(0, 100)}".`);
    return { sessionId, version, messages: limit === undefined ? messages : messages.slice(-limit) };
  }

  /**
   * Forgets a session; one that is not there is forgotten already.
   * @throws AgentException `session_busy` while a run of it is under way, or waits: that run could not keep its answer.
   */
  @Delete(':id')
  @HttpCode(204)
  async delete(@Param('id') sessionId: string): Promise<void> {
    const release = await this.sessions.store.lock(sessionId, { whenBusy: 'refuse' });
    try {
      await this.#checkNobodyWaits(sessionId);
      await this.sessions.store.delete(sessionId);
    } finally {
      release();
    }
  }

  /** A run that waits does not hold its session, and comes back to it. */
  async #checkNobodyWaits(sessionId: string): Promise<void> {
    for (const status of ['suspended', 'queued'] as const) {
      const [run] = await this.stores.runs.list({ sessionId, status, limit: 1 });
      if (!run) continue;
      const error = new AgentException(
        `Session "${sessionId.slice(0, 100)}" cannot be deleted: its run ${run.runId} is ${status}. ` +
          `Let it end, or end it with POST /runs/${run.runId}/cancel.`,
        { code: 'session_busy' },
      );
      error.runId = run.runId;
      throw error;
    }
  }
}
