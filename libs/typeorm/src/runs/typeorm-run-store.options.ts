import { AgentException } from '@nestor/core';
import type { EventSource } from './step-events.js';

export interface TypeOrmRunStoreOptions {
  /**
   * How long a run stays with a process that died, in ms, 100 to 86,400,000; renewed at a third of that, given up at
   * four fifths if it cannot be renewed. Default 30,000.
   */
  readonly leaseMs?: number;
  /**
   * How many times in a row a run is taken before it counts as failed, >= 1; whoever records a model's answer or a
   * tool's result, or leaves the run in good order, begins the row anew. Default 10.
   */
  readonly maxAttempts?: number;
  /** Makes events of what the runs tell; each is written to the journal in the transaction of its step. Default: no journal. */
  readonly journal?: EventSource | undefined;
}

const DAY_MS = 86_400_000;

/** @throws AgentException `invalid_options` */
export function runStoreOptions(
  given: TypeOrmRunStoreOptions,
): Required<Pick<TypeOrmRunStoreOptions, 'leaseMs' | 'maxAttempts'>> {
  const { leaseMs = 30_000, maxAttempts = 10 } = given;
  check('leaseMs', leaseMs, 100, DAY_MS);
  check('maxAttempts', maxAttempts, 1, 1_000_000);
  return { leaseMs, maxAttempts };
}

function check(name: string, value: number, least: number, most: number): void {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return;
  throw new AgentException(
    `${name} of the run store is ${value}; it must be a whole number from ${least} to ${most}.`,
    { code: 'invalid_options' },
  );
}
