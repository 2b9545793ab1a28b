const MOST = 40;

/** A piece of source for a message, in quotes and cut to a length people read. */
export function quoted(text: string): string {
  const line = text.split(/[\r\n]/, 1)[0] ?? '';
  const shown =
    line.length > MOST || line.length < text.length
      ? `${line
          .slice(0, MOST)
          .replace(/[\uD800-\uDBFF]$/, '')
          .trimEnd()}…`
      : line;
  return shown.startsWith('"') ? shown : `"${shown}"`;
}
