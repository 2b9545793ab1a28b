import type { AgentLogger } from '@nestor/core';
import {
  JournalWriter,
  type JournalRow,
  type JournalTarget,
  type JournalWriterOptions,
  type NewJournalEvent,
} from '@nestor/typeorm';
import { vi } from 'vitest';

const FAST: JournalWriterOptions = { maxDelayMs: 1, writeTimeoutMs: 50 };

/** An event of a run. */
export const event = (executionId: string, payload = '{}'): NewJournalEvent => ({
  executionId,
  type: 'AGENT_TURN_STARTED',
  timestamp: 1,
  graphName: 'g',
  nodeId: 'n',
  operatorRef: 'o',
  payload,
});

/** A table in memory that does what it is told before each statement. */
export class FakeTable implements JournalTarget {
  readonly rows = new Map<string, JournalRow>();
  readonly batches: number[] = [];
  statements = 0;

  constructor(readonly before: (statement: string, rows: readonly JournalRow[]) => unknown = () => {}) {}

  async insert(rows: readonly JournalRow[]): Promise<void> {
    await this.#begin('insert', rows);
    for (const row of rows) if (this.rows.has(keyOf(row))) throw new Error('unique');
    for (const row of rows) this.rows.set(keyOf(row), row);
    this.batches.push(rows.length);
  }

  async insertOnce(row: JournalRow): Promise<boolean> {
    await this.#begin('insertOnce', [row]);
    const there = this.rows.get(keyOf(row));
    if (!there) this.rows.set(keyOf(row), row);
    return !there || there.event === row.event;
  }

  async lastSequences(ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    await this.#begin('lastSequences', []);
    return new Map(ids.map((id) => [id, this.numbers(id).at(-1) ?? 0]));
  }

  async ping(): Promise<void> {
    await this.#begin('ping', []);
  }

  numbers(id: string): number[] {
    return [...this.rows.values()]
      .filter((row) => row.event.executionId === id)
      .map(({ sequenceNumber }) => sequenceNumber)
      .sort((a, b) => a - b);
  }

  async #begin(statement: string, rows: readonly JournalRow[]): Promise<void> {
    this.statements += 1;
    await this.before(statement, rows);
  }
}

const keyOf = ({ event: { executionId }, sequenceNumber }: JournalRow): string =>
  `${executionId} ${sequenceNumber}`;

/** A writer on a table in memory. */
export function memoryJournal(before?: FakeTable['before'], options: JournalWriterOptions = {}) {
  const table = new FakeTable(before);
  const logger = { log: vi.fn(), warn: vi.fn(), error: vi.fn() } satisfies AgentLogger;
  const writer = new JournalWriter(table, logger, { ...FAST, ...options });
  const append = (count: number, id = 'r'): void => {
    for (let i = 0; i < count; i++) writer.append(event(id));
  };
  return { table, logger, writer, append };
}
