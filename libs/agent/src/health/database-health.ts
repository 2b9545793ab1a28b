import { Inject, Injectable } from '@nestjs/common';
import { AgentStorage } from '../storage/agent-storage.js';

/** Less than the second that many probes wait for their answer. */
const ANSWER_MS = 500;
/** After that an unanswered question was lost, and is asked again. */
const LOST_MS = 10_000;

export interface DatabaseState {
  readonly kind: 'sqlite' | 'postgres' | 'mysql';
  /** `down`: it gave an error, or nothing within half a second. */
  readonly status: 'ok' | 'down';
}

interface Askable {
  readonly dialect: { readonly kind: DatabaseState['kind'] };
  query(sql: string): Promise<unknown>;
}

/** Whether the application's database answers. */
@Injectable()
export class DatabaseHealth {
  #asked: { readonly at: number; readonly answered: Promise<boolean> } | undefined;

  constructor(
    @Inject(AgentStorage)
    private readonly storage: { readonly opened: { readonly database: Askable } | undefined },
  ) {}

  /** Asks it; takes half a second at most, never rejects. Undefined if the application has no database of ours. */
  async check(): Promise<DatabaseState | undefined> {
    const database = this.storage.opened?.database;
    if (!database) return undefined;
    const ok = await inTime(this.#ask(database));
    return { kind: database.dialect.kind, status: ok ? 'ok' : 'down' };
  }

  /** One question at a time, however many probes there are: a database that hangs must not take all connections. */
  #ask(database: Askable): Promise<boolean> {
    const now = performance.now();
    if (this.#asked && now - this.#asked.at < LOST_MS) return this.#asked.answered;
    const answered = database
      .query('SELECT 1')
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        if (this.#asked?.answered === answered) this.#asked = undefined;
      });
    this.#asked = { at: now, answered };
    return answered;
  }
}

async function inTime(answered: Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(false), ANSWER_MS)));
  try {
    return await Promise.race([answered, late]);
  } finally {
    clearTimeout(timer);
  }
}
