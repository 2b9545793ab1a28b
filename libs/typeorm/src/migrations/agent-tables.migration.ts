import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTable, dropTable, type TableSpec } from './create-table.js';

// Times are epoch milliseconds. Names and states are those of this migration for ever; later ones add to them.

const RUN: TableSpec = {
  name: 'agent_run',
  columns: {
    id: 'key',
    agent: 'name',
    definition_hash: 'key?',
    session_id: 'text?',
    session_key: 'key?',
    caller: 'text?',
    caller_key: 'key?',
    trigger_key: 'key?',
    status: 'key',
    turn: 'int',
    version: 'bigint',
    fence: 'bigint',
    attempts: 'int',
    lease_owner: 'key?',
    lease_until: 'bigint?',
    cancel_requested_at: 'bigint?',
    total_prompt_tokens: 'bigint',
    total_completion_tokens: 'bigint',
    total_tokens: 'bigint',
    total_llm_calls: 'int',
    total_tool_calls: 'int',
    input: 'text',
    output: 'text?',
    error: 'text?',
    exit_reason: 'key?',
    schema_version: 'int',
    created_at: 'bigint',
    started_at: 'bigint?',
    updated_at: 'bigint',
    ended_at: 'bigint?',
    deadline_at: 'bigint?',
  },
  primaryKey: ['id'],
  unique: [['trigger_key']],
  indexes: [
    ['status', 'lease_until'],
    ['session_key', 'created_at'],
    ['agent', 'created_at'],
    ['created_at', 'id'],
  ],
};

const STEP: TableSpec = {
  name: 'agent_step',
  columns: {
    run_id: 'key',
    turn: 'int',
    step_key: 'key',
    ordinal: 'int',
    kind: 'key',
    tool: 'name?',
    call_id: 'text?',
    status: 'key',
    idempotency_key: 'name?',
    arguments_hash: 'key?',
    fence: 'bigint',
    payload: 'text?',
    created_at: 'bigint',
    updated_at: 'bigint',
  },
  primaryKey: ['run_id', 'turn', 'step_key'],
};

const EXECUTION_EVENT: TableSpec = {
  name: 'agent_execution_event',
  columns: {
    execution_id: 'key',
    sequence_number: 'bigint',
    event_type: 'key',
    timestamp: 'bigint',
    graph_name: 'name',
    node_id: 'name',
    operator_ref: 'name',
    payload: 'text',
  },
  primaryKey: ['execution_id', 'sequence_number'],
  indexes: [
    ['timestamp', 'execution_id', 'sequence_number'],
    ['event_type', 'timestamp', 'execution_id', 'sequence_number'],
  ],
};

const SESSION: TableSpec = {
  name: 'agent_session',
  columns: {
    session_key: 'key',
    session_id: 'text',
    version: 'bigint',
    message_count: 'bigint',
    last_sequence: 'bigint',
    created_at: 'bigint',
    updated_at: 'bigint',
  },
  primaryKey: ['session_key'],
  indexes: [['updated_at', 'session_key']],
};

const MESSAGE: TableSpec = {
  name: 'agent_message',
  columns: {
    session_key: 'key',
    sequence_number: 'bigint',
    run_id: 'key?',
    role: 'key',
    payload: 'text',
    created_at: 'bigint',
  },
  primaryKey: ['session_key', 'sequence_number'],
};

const LEASE: TableSpec = {
  name: 'agent_lease',
  columns: { lease_key: 'key', owner: 'key', lease_until: 'bigint' },
  primaryKey: ['lease_key'],
  indexes: [['lease_until']],
};

const APPROVAL: TableSpec = {
  name: 'agent_approval',
  columns: {
    id: 'key',
    run_id: 'key',
    turn: 'int',
    ordinal: 'int',
    fence: 'bigint',
    kind: 'key',
    call_id: 'text',
    tool: 'name',
    arguments: 'text',
    arguments_hash: 'key',
    status: 'key',
    edited_arguments: 'text?',
    reason: 'text?',
    decided_by: 'text?',
    requested_at: 'bigint',
    decided_at: 'bigint?',
    expires_at: 'bigint?',
  },
  // A call may be asked about again by a later holder of the run.
  primaryKey: ['id', 'fence'],
  unique: [['run_id', 'turn', 'ordinal', 'fence']],
  indexes: [['status', 'expires_at']],
};

const OUTBOX: TableSpec = {
  name: 'agent_outbox',
  columns: {
    id: 'key',
    run_id: 'key?',
    topic: 'name',
    partition_key: 'name?',
    payload: 'text',
    status: 'key',
    attempts: 'int',
    next_attempt_at: 'bigint',
    error: 'text?',
    created_at: 'bigint',
    published_at: 'bigint?',
  },
  primaryKey: ['id'],
  indexes: [['status', 'next_attempt_at'], ['run_id']],
};

const TABLES = [RUN, STEP, EXECUTION_EVENT, SESSION, MESSAGE, LEASE, APPROVAL, OUTBOX];

/** All tables of the package's first version. */
export class AgentTables1796000000000 implements MigrationInterface {
  readonly name = 'AgentTables1796000000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await createTable(runner, table);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { name } of TABLES.toReversed()) await dropTable(runner, name);
  }

  /** The tables it creates. */
  static readonly tables: readonly string[] = TABLES.map(({ name }) => name);
}
