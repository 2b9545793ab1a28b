import { Injectable } from '@nestjs/common';

const LISTENER = Symbol.for('nestor.listener');

/** Marks a provider class as a listener of all runs. Implement any part of `AgentExecutionListener`. The class is injectable without `@Injectable()`. */
export function AgentListener(): ClassDecorator {
  return (target) => {
    // `@Injectable({ scope })` beside it stays what it is.
    if (!Reflect.hasOwnMetadata('__injectable__', target)) Injectable()(target);
    Reflect.defineMetadata(LISTENER, true, target);
  };
}

/** True for a class with `@AgentListener()`, or one that extends such a class. */
export function isAgentListener(type: object): boolean {
  return Reflect.getMetadata(LISTENER, type) === true;
}
