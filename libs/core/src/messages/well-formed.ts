/// <reference lib="es2024.string" />

/**
 * The text as every provider and database takes it: half surrogates become U+FFFD, NUL characters are removed
 * (PostgreSQL refuses them in text). A text that needs neither is given back as it is.
 */
export function wellFormed(text: string): string {
  if (isWellFormed(text)) return text;
  return text.toWellFormed().replaceAll('\0', '');
}

/** True if `wellFormed` has nothing to do. */
export function isWellFormed(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}
