/** What a tool name may look like on the wire. */
export const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/**
 * A name that every provider accepts: forbidden characters become `_`, at most 64 characters stay, and an empty
 * name becomes `unknown`. A good name is given back unchanged.
 */
export function sanitizeToolName(name: string): string {
  if (TOOL_NAME.test(name)) return name;
  return name.replace(/[^a-zA-Z0-9_-]+/g, '_').slice(0, 64) || 'unknown';
}
