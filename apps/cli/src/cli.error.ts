/** Exit code of a command that could not do its work: wrong use, or a file that cannot be read or written. */
export const UNUSABLE = 2;

/** What the user has to put right: the message is shown as it is, the exit code is 2. */
export class CliError extends Error {
  override readonly name = 'CliError';
}

/** What an error says, for a message of ours. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
