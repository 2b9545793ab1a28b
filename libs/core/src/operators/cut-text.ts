/** Share of the room that the head gets; the rest is the tail's. */
const HEAD_SHARE = 2 / 3;

/**
 * Shortens a text to its head and its tail with a note of how much is missing between them. Never leaves half a
 * surrogate pair. Characters are UTF-16 units, as in `length`.
 * @param limit most characters of the outcome, the note included. Too small for the note: the head alone.
 */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const room = limit - note(text.length).length;
  if (room < 2) return text.slice(0, headEnd(text, Math.max(0, limit)));
  const end = headEnd(text, Math.ceil(room * HEAD_SHARE));
  const start = tailStart(text, text.length - Math.floor(room * (1 - HEAD_SHARE)));
  return text.slice(0, end) + note(start - end) + text.slice(start);
}

function note(cut: number): string {
  return `\n… [${cut} characters cut] …\n`;
}

function headEnd(text: string, end: number): number {
  return end > 0 && isHighSurrogate(text.charCodeAt(end - 1)) ? end - 1 : end;
}

function tailStart(text: string, start: number): number {
  return isLowSurrogate(text.charCodeAt(start)) ? start + 1 : start;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
