import { toJsonSafe, type CallerCodec } from '@nestor/core';

/**
 * Keeps of the request that started a run who asked: `request.user`, as the application's guards left it. Headers,
 * cookies and body are not kept, so that no token comes to lie in the database; a guard that looks at them when the
 * run goes on in another process finds none. The runtime's own guards let tool calls pass: their run was let in.
 */
export const requestCallerCodec: CallerCodec = {
  serialize: (caller) => ({ user: toJsonSafe(userOf(caller) ?? null) }),
  restore: (kept) => ({ user: userOf(kept) ?? undefined, headers: {} }),
};

function userOf(caller: unknown): unknown {
  return typeof caller === 'object' && caller !== null && 'user' in caller ? caller.user : undefined;
}
