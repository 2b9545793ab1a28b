// Events per second of the journal, as the writer batches them: 20 runs at once, each event with a tool's payload.
import { AgentDatabase, EventJournalBridge, JournalTable, JournalWriter } from '@nestor/typeorm';

const EVENTS = 30_000;
const RUNS = 20;
/** Events appended before the writer may write: a burst, well below the limit of its queue. */
const BURST = 5_000;
const SILENT = { log() {}, warn() {}, error() {} };

export async function journalThroughput({ create }) {
  const place = await create();
  const database = await AgentDatabase.open(place, { logger: SILENT });
  try {
    const writer = new JournalWriter(new JournalTable(database), SILENT);
    const bridge = new EventJournalBridge(writer);
    const startedAt = performance.now();
    for (let n = 0; n < EVENTS; n++) {
      const payload = {
        turnNumber: 1,
        toolCallId: `c${n}`,
        toolName: 'forecast',
        argumentsJson: '{"city":"Oslo"}',
      };
      bridge.onAgentToolDispatched(payload, contextOf(`run-${n % RUNS}`));
      if (n % BURST === BURST - 1) await writer.flush();
    }
    await writer.flush();
    const seconds = (performance.now() - startedAt) / 1_000;
    const { written } = writer.counters();
    if (written !== EVENTS) throw new Error(`The journal has ${written} of ${EVENTS} events.`);
    return EVENTS / seconds;
  } finally {
    await database.close();
    await place.drop();
  }
}

function contextOf(executionId) {
  return { executionId, graphName: 'weather', nodeId: 'agent', operatorRef: 'weather' };
}
