/** A parsed JSON object of which nothing is known yet. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The string, or an empty one for anything else a server may have sent in its place. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
