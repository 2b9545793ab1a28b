import { CliError } from '../cli.error.js';

/** A byte order mark stays in the text. @throws CliError for bytes that are no UTF-8. */
export function textOf(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new CliError(`${name} is not UTF-8 text. Save it as UTF-8.`);
  }
}
