import { AgentException } from '@nestor/core';

/**
 * Loads the driver of a database, an optional package.
 * @throws AgentException `missing_package` with the line that installs it
 */
export async function loadDriver(name: 'libsql' | 'pg' | 'mysql2', neededFor: string): Promise<unknown> {
  try {
    const loaded: { readonly default?: unknown } = await import(name);
    return loaded.default ?? loaded;
  } catch (cause) {
    throw new AgentException(
      `The agent database on ${neededFor} needs the package "${name}". Install it: npm install ${name}`,
      { code: 'missing_package', cause },
    );
  }
}
