import type { AgentMatchers } from '@nestor/agent/testing';

declare module 'vitest' {
  // The parameter must be declared as vitest declares it.
  interface Matchers<T = any> extends AgentMatchers<void> {}
}

declare global {
  namespace jest {
    interface Matchers<R, T = {}> extends AgentMatchers<R> {}
  }
}
