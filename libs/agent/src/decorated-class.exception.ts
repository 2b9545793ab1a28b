import { AgentException } from '@nestor/core';

/** Thrown at boot for a decorated class or method that cannot be what its decorator says. The message names both, the value and the remedy. */
export class DecoratedClassException extends AgentException {
  /** @param place class, or class and method, e.g. `Orders.find`. */
  constructor(decorator: '@Operator()' | '@AgentListener()', place: string, problem: string) {
    super(`${decorator} ${place}: ${problem}`, { code: 'invalid_provider' });
  }
}
