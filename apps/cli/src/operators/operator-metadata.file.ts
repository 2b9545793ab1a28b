import { readFile } from 'node:fs/promises';
import type { OperatorRegistry } from '@nestor/core';
import { CliError, reasonOf } from '../cli.error.js';
import { textOf } from '../files/text-of.js';
import { describedOperators } from './described-operators.js';
import { parseOperatorMetadata } from './operator-metadata.js';

/**
 * The operators that a file describes.
 * @param agents names of agents, which are operators too
 * @throws CliError if it cannot be read, or is no `operator-metadata.json`
 */
export async function readOperators(path: string, agents: readonly string[]): Promise<OperatorRegistry> {
  const bytes = await readFile(path).catch((error: unknown) => {
    throw new CliError(`Cannot read ${path}: ${reasonOf(error)}. "nestor metadata" writes it.`);
  });
  return describedOperators(parseOperatorMetadata(textOf(bytes, path), path), agents);
}
