// What durability adds to a turn of three tools, beside the same statements sent by the bare driver.
import {
  AgentBuilder,
  LlmChatOperator,
  OperatorContext,
  OperatorRegistry,
  ScriptedProvider,
} from '@nestor/core';
import {
  AgentDatabase,
  EventJournalBridge,
  JournalTable,
  JournalWriter,
  TypeOrmRunStore,
} from '@nestor/typeorm';
import { median } from '../measure.mjs';

const TURNS = 10;
const TOOLS = 3;
const RUNS = 30;
const WARM_UP = 5;
const SILENT = { log() {}, warn() {}, error() {} };

/** Milliseconds per turn, as medians: `plain` in memory, `durable` with the journal, `bare` for the statements alone. */
export async function turnCost({ create, bare }) {
  const place = await create();
  const database = await AgentDatabase.open(place, { logger: SILENT });
  const connection = await bare(place.url);
  try {
    const journal = new EventJournalBridge(new JournalWriter(new JournalTable(database), SILENT));
    const transactions = recorded(database);
    const store = new TypeOrmRunStore(database, { journal });
    const plainAgent = agentWith({});
    const durableAgent = agentWith({ runs: store });
    const figures = { plain: [], durable: [], bare: [] };
    // Side by side, so that a slow spell of the machine hits all three.
    for (let round = 0; round < RUNS + WARM_UP; round++) {
      const plain = await turnTime(plainAgent, `plain-${round}`);
      transactions.length = 0;
      const durable = await turnTime(durableAgent, `run-${round}`);
      const bareMs = await bareTurnTime(connection, transactions, `run-${round}`);
      if (round < WARM_UP) continue;
      figures.plain.push(plain);
      figures.durable.push(durable);
      figures.bare.push(bareMs);
    }
    const [plain, durable, bareMs] = [figures.plain, figures.durable, figures.bare].map(median);
    return { plain, durable, bare: bareMs, ratio: (durable - plain) / bareMs };
  } finally {
    await connection.close();
    await database.close();
    await place.drop();
  }
}

function agentWith(services) {
  const asked = [];
  const provider = new ScriptedProvider(({ messages }) => {
    asked.push(performance.now());
    const turn = messages.filter(({ role }) => role === 'assistant').length;
    if (turn === TURNS) return { text: 'done' };
    const toolCalls = Array.from({ length: TOOLS }, (_, n) => ({
      name: 'forecast',
      arguments: { city: `${turn}-${n}` },
    }));
    return { toolCalls };
  });
  const registry = new OperatorRegistry();
  registry.register('llmChat', new LlmChatOperator(provider));
  registry.register('forecast', { execute: ({ city }) => ({ city, sky: 'clear', degrees: 21 }) });
  const agent = AgentBuilder.create('weather')
    .model('m')
    .maxTurns(TURNS + 1)
    .repeatedCallLimit(0)
    .tool('forecast')
    .toOperator('weather', registry, services);
  return { agent, asked };
}

/** What a turn of a run takes: from its first question to its last. */
async function turnTime({ agent, asked }, runId) {
  asked.length = 0;
  await agent.execute('go', OperatorContext.root(), { runId });
  return (asked.at(-1) - asked[0]) / TURNS;
}

/** The transactions of a store, each a list of statements; what is no transaction is a list of one. */
function recorded(database) {
  const transactions = [];
  const { transaction, query } = database;
  database.query = (sql, values) => {
    transactions.push([{ sql, values }]);
    return query.call(database, sql, values);
  };
  database.transaction = (work) =>
    transaction.call(database, async (executor) => {
      const own = [{ sql: 'BEGIN' }];
      const result = await work({
        query: (sql, values) => {
          own.push({ sql, values });
          return executor.query(sql, values);
        },
      });
      transactions.push([...own, { sql: 'COMMIT' }]);
      return result;
    });
  return transactions;
}

/** The statements of the turns once more, for a run of another id. */
async function bareTurnTime(connection, transactions, runId) {
  const own = (value) =>
    typeof value === 'string' ? value.replaceAll(runId, `bare${runId.slice(3)}`) : value;
  const send = async (statements) => {
    for (const { sql, values } of statements) await connection.query(sql, values?.map(own));
  };
  const answers = [...transactions.keys()].filter((index) =>
    transactions[index].some(({ sql }) => /^INSERT.*agent_step/.test(sql)),
  );
  const [first] = answers;
  for (const statements of transactions.slice(0, first)) await send(statements);
  const startedAt = performance.now();
  for (const statements of transactions.slice(first, answers[TURNS])) await send(statements);
  return (performance.now() - startedAt) / TURNS;
}
