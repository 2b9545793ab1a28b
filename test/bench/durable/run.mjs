// What durable runs cost on each database that answers: see ../README.md.
import { DATABASES } from './databases.mjs';
import { journalThroughput } from './journal-throughput.mjs';
import { turnCost } from './turn-cost.mjs';

const MOST_RATIO = 3;
const LEAST_EVENTS = 3_000;

/** Prints a table. Gives false if a target was missed. */
export async function measureDurable() {
  console.log(
    'durable runs: a turn of 3 tools, with its journal (target: added time at most 3 x bare SQL, 3,000 events/s)\n',
  );
  let good = true;
  for (const database of DATABASES) {
    const absent = await missing(database);
    if (absent) {
      console.log(`  ${database.name.padEnd(11)} not measured: ${absent}`);
      continue;
    }
    const { plain, durable, bare, ratio } = await turnCost(database);
    const events = await journalThroughput(database);
    good &&= ratio <= MOST_RATIO && events >= LEAST_EVENTS;
    const shown = [plain, durable, bare].map((ms) => ms.toFixed(2));
    console.log(
      `  ${database.name.padEnd(11)} plain ${shown[0]} ms · durable ${shown[1]} ms · bare SQL ${shown[2]} ms · ` +
        `added ${ratio.toFixed(2)} x bare ${ratio <= MOST_RATIO ? 'ok' : 'MISSED'} · ` +
        `journal ${Math.round(events).toLocaleString('en')} events/s ${events >= LEAST_EVENTS ? 'ok' : 'MISSED'}`,
    );
  }
  return good;
}

async function missing({ create }) {
  try {
    const place = await create();
    await place.drop();
    return undefined;
  } catch (error) {
    return error.message || error.code;
  }
}

if (process.argv[1] === import.meta.filename && !(await measureDurable())) process.exitCode = 1;
