import { AgentTables1796000000000 } from './agent-tables.migration.js';

/**
 * The migrations of all tables, in order. The agent database runs them by itself; an application that runs its
 * migrations on its own adds them to its DataSource and opens the database with `migrations: 'check'`.
 */
export const AGENT_MIGRATIONS = [AgentTables1796000000000] as const;
