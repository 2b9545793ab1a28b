import { Inject, Injectable } from '@nestjs/common';
import { AgentException } from '@nestor/core';
import { AgentStorage, type TypeOrm } from '../storage/agent-storage.js';
import { EVENT_JOURNAL_OPTIONS, type EventJournalOptions } from './event-journal.options.js';
import type { JournalEvent, JournalPage, JournalQuery, JournalVerification } from './journal-records.js';

/**
 * Reads the application's event journal. Every method throws AgentException `journal_off` where it is not switched on,
 * and `not_started` before the application has started and after it was closed.
 */
@Injectable()
export class AgentJournal {
  constructor(
    @Inject(EVENT_JOURNAL_OPTIONS) private readonly options: EventJournalOptions,
    @Inject(AgentStorage) private readonly storage: AgentStorage,
  ) {}

  /** Whether runs leave events. */
  get enabled(): boolean {
    return this.options.enabled;
  }

  /** A page of events. @throws AgentException `invalid_cursor` */
  async list(query: JournalQuery = {}): Promise<JournalPage> {
    const { after, ...conditions } = query;
    return this.#journal().list({ ...conditions, ...(after !== undefined && { after: cursorOf(after) }) });
  }

  /**
   * The events of a run as they are written, by any process, until the run's end or the signal's abort.
   * @param fromSequence the first number wanted. Default 1.
   */
  stream(
    runId: string,
    fromSequence = 1,
    options: { readonly signal?: AbortSignal } = {},
  ): AsyncGenerator<JournalEvent, void, void> {
    return this.#journal().stream(runId, fromSequence, options);
  }

  /** Whether the numbers of a run follow one another without a gap. */
  async verify(runId: string): Promise<JournalVerification> {
    return this.#journal().verify(runId);
  }

  /**
   * Removes the runs whose latest event is older; a run is kept whole or goes whole.
   * @param olderThan epoch ms
   * @returns the number of events removed
   */
  async purge(olderThan: number): Promise<number> {
    return this.#journal().purge(olderThan);
  }

  #journal(): InstanceType<TypeOrm['EventJournal']> {
    if (!this.options.enabled) {
      throw new AgentException(
        'The event journal is off, so runs leave no events. Set eventJournal: { enabled: true } in AgentModule.forRoot.',
        { code: 'journal_off' },
      );
    }
    const { opened } = this.storage;
    if (opened) return new opened.typeorm.EventJournal(opened.database);
    throw new AgentException(
      'The journal is read while the application runs: after its start, before its end.',
      {
        code: 'not_started',
      },
    );
  }
}

/** Of a place in the journal only the number counts within one run. */
function cursorOf(after: string | number): string {
  return typeof after === 'string'
    ? after
    : Buffer.from(JSON.stringify([0, '', after])).toString('base64url');
}
