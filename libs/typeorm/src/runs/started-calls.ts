import type { AnswerStep, ToolDispatchedPayload } from '@nestor/core';
import type { AgentDatabase } from '../database/agent-database.js';
import { numberOf } from '../database/column-value.js';
import type { SqlExecutor } from '../database/sql-executor.js';
import { readStored } from './stored-json.js';

/** The calls of a turn that were started and have no result, as the listeners are told of calls. */
export async function startedCalls(
  database: AgentDatabase,
  transaction: SqlExecutor,
  runId: string,
  turn: number,
): Promise<readonly ToolDispatchedPayload[]> {
  const { rows } = await transaction.query(
    `SELECT kind, ordinal, payload FROM ${database.table('agent_step')} ` +
      `WHERE run_id = ? AND turn = ? AND (kind = 'answer' OR status = 'started') ORDER BY ordinal`,
    [runId, turn],
  );
  const answer = rows.find(({ kind }) => kind === 'answer');
  if (!answer) return [];
  const { calls, response } = readStored(answer['payload'], runId, `agent_step (turn ${turn})`) as AnswerStep;
  const started = new Set(rows.filter((row) => row !== answer).map((row) => numberOf(row['ordinal'])));
  return calls
    .filter(({ ordinal }) => started.has(ordinal))
    .map(({ ordinal, toolCallId, toolName }) => {
      const asked = response.message.toolCalls?.[ordinal];
      const argumentsJson = asked?.arguments ?? '';
      return { turnNumber: turn, toolCallId, toolName: asked?.name ?? toolName, argumentsJson };
    });
}
