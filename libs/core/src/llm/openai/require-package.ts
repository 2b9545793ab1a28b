import { createRequire } from 'node:module';
import { AgentException } from '../../errors/agent.exception.js';

/**
 * Checks that an optional package is there, without loading it: that it is missing is to show at start-up, not at
 * the first call.
 * @throws AgentException `missing_package`
 */
export function requirePackage(name: string, neededBy: string): void {
  try {
    createRequire(import.meta.url).resolve(name);
  } catch (cause) {
    throw new AgentException(`${neededBy} needs the package "${name}". Install it: npm install ${name}`, {
      code: 'missing_package',
      cause,
    });
  }
}
