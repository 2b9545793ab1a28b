/** The message of whatever was thrown. A driver's error is never shown whole: it holds the statement's parameters. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
