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
import {
  AgentJournal,
  JOURNAL_EVENT_TYPES,
  RunStores,
  type JournalEvent,
  type JournalEventType,
} from '@nestor/agent';
import { ProblemFilter } from '../problems/problem.filter.js';
import { QueryParameters, wholeNumber } from '../query-parameters.js';
import {
  lastEventId,
  wantsEventStream,
  type PlatformRequest,
  type PlatformResponse,
} from './http-exchange.js';
import { RunFollowers } from './run-followers.js';
import { isLongOver, whenOver } from './when-over.js';

const MAX_LIMIT = 1_000;
const DEFAULT_LIMIT = 100;

export interface RunEventsPage {
  /** By their number. */
  readonly events: readonly JournalEvent[];
  /** The `after` of the next page; absent if there is nothing more by now. */
  readonly next?: number;
}

interface EventsQuery {
  readonly runId: string;
  /** The number of the last event that the client has; 0: none. */
  readonly after: number;
  readonly type: JournalEventType | undefined;
}

/** The journal of a run: in pages, or as server-sent events while it goes on. */
@Controller('runs')
@UseFilters(ProblemFilter)
export class RunEventsController {
  constructor(
    @Inject(AgentJournal) private readonly journal: AgentJournal,
    @Inject(RunStores) private readonly stores: RunStores,
    @Inject(RunFollowers) private readonly followers: RunFollowers,
    @Inject(HttpAdapterHost) private readonly adapterHost: HttpAdapterHost,
  ) {}

  @Get(':id/events')
  async events(
    @Param('id') runId: string,
    @Query() query: Readonly<Record<string, unknown>>,
    @Req() request: PlatformRequest,
    @Res() response: PlatformResponse,
  ): Promise<void> {
    const parameters = new QueryParameters(query, ['after', 'limit', 'type']);
    const limit = parameters.number('limit', 1, MAX_LIMIT) ?? DEFAULT_LIMIT;
    const after = parameters.number('after', 0, Number.MAX_SAFE_INTEGER) ?? 0;
    const type = parameters.choice('type', JOURNAL_EVENT_TYPES);
    await this.#checkKnown(runId);
    if (wantsEventStream(request)) {
      // A client that comes again asks with the same address, and says in the header how far it got.
      const seen = wholeNumber('Last-Event-ID', lastEventId(request), 0, Number.MAX_SAFE_INTEGER);
      await this.#stream({ runId, after: seen ?? after, type }, response);
    } else {
      this.#reply(response, await this.#page({ runId, after, type }, limit), 200);
    }
  }

  async #page({ runId, after, type }: EventsQuery, limit: number): Promise<RunEventsPage> {
    const { events, next } = await this.journal.list({ runId, after, limit, ...(type && { type }) });
    const last = events.at(-1);
    return { events, ...(next !== undefined && last && { next: last.sequenceNumber }) };
  }

  async #stream(query: EventsQuery, response: PlatformResponse): Promise<void> {
    // 204 is how an EventSource is told not to come again.
    if (await this.#hasAll(query)) return this.#reply(response, undefined, 204);
    const { runId, after, type } = query;
    const end = new AbortController();
    await this.followers.follow(response, after, end, async (events) => {
      const stopLooking = whenOver(
        async () => this.stores.runs.find(runId),
        () => end.abort(),
      );
      try {
        for await (const event of this.journal.stream(runId, after + 1, { signal: end.signal })) {
          if (type === undefined || event.type === type) {
            await events.send(event.type, event, event.sequenceNumber);
          }
          if (end.signal.aborted) break;
        }
      } finally {
        stopLooking();
      }
    });
  }

  /** Whether the client has all that there will be of what it asks for. */
  async #hasAll({ runId, after, type }: EventsQuery): Promise<boolean> {
    // The end first: what comes before it is written by then.
    const end = await this.journal.list({ runId, type: 'AGENT_LOOP_EXITED', limit: 1 });
    if (end.events.length === 0 && !isLongOver(await this.stores.runs.find(runId))) return false;
    const left = await this.journal.list({ runId, after, limit: 1, ...(type && { type }) });
    return left.events.length === 0;
  }

  /** A journal may know runs that a store in memory has forgotten. @throws NotFoundException */
  async #checkKnown(runId: string): Promise<void> {
    const { events } = await this.journal.list({ runId, limit: 1 });
    if (events.length > 0 || (await this.stores.runs.find(runId))) return;
    throw new NotFoundException(`There is no run "${runId.slice(0, 100)}", or its record is gone.`);
  }

  #reply(response: PlatformResponse, body: RunEventsPage | undefined, status: number): void {
    this.adapterHost.httpAdapter.reply(response, body, status);
  }
}
