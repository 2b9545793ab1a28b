import type { RunHistory } from '@nestor/core';
import type { EventJournal, JournalEvent } from '@nestor/typeorm';

/** More than a run of these tests can have. */
const ALL = 1_000;

/** What is wrong with the journal of a run that has ended: each recorded step has exactly one event. */
export async function journalFaults(journal: EventJournal, history: RunHistory): Promise<string[]> {
  const { runId } = history.run;
  const { complete, exited } = await journal.verify(runId);
  const { events } = await journal.list({ runId, limit: ALL });
  const asked = history.answers.map(({ turn }) => JSON.stringify(turn));
  const answered = [...history.calls].filter(([, { result }]) => result).map(([id]) => JSON.stringify(id));
  return [
    ...(complete ? [] : ['numbers are missing']),
    ...(exited && events.at(-1)?.type === 'AGENT_LOOP_EXITED' ? [] : ['does not end with its exit']),
    ...differences(keysOf(events, 'AGENT_LLM_CALLED', 'turnNumber'), asked, 'model calls'),
    ...differences(keysOf(events, 'AGENT_TOOL_COMPLETED', 'toolCallId'), answered, 'tool results'),
    ...differences(keysOf(events, 'AGENT_LOOP_EXITED', 'none'), ['null'], 'exits'),
  ].map((fault) => `journal of ${runId}: ${fault}`);
}

function keysOf(events: readonly JournalEvent[], type: JournalEvent['type'], key: string): string[] {
  return events
    .filter((event) => event.type === type)
    .map(({ payload }) => JSON.stringify(payload[key] ?? null));
}

/** Each must be there exactly once, in whatever order. */
function differences(found: readonly string[], expected: readonly string[], what: string): string[] {
  const shown = (keys: readonly string[]): string => keys.toSorted().join(' ');
  return shown(found) === shown(expected) ? [] : [`${what}: ${shown(found)} in place of ${shown(expected)}`];
}
