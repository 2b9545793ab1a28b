const TAB = 9;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const NON_ASCII = 0x80;

export function isLineBreak(code: number): boolean {
  return code === LINE_FEED || code === CARRIAGE_RETURN;
}

export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** White space but for line breaks; a byte order mark counts, as joined files carry it anywhere. */
export function isSpace(code: number): boolean {
  if (code < NON_ASCII) return code === 32 || code === TAB || code === 11 || code === 12;
  return code === 0xfeff || (code < 0xd800 && /\p{Zs}/u.test(String.fromCharCode(code)));
}

/** Where the name that starts at `start` ends: `start` itself if none does. Letters of any script and `_`; digits later. */
export function nameEnd(source: string, start: number): number {
  const first = source.codePointAt(start);
  if (first === undefined || isDigit(first)) return start;
  return namePartEnd(source, start);
}

/** Where the letters, digits and `_` from `start` on end. */
export function namePartEnd(source: string, start: number): number {
  let at = start;
  for (;;) {
    const code = source.charCodeAt(at);
    if (code < NON_ASCII ? isAsciiNamePart(code) : false) at++;
    else if (code >= NON_ASCII && isOtherNamePart(source, at)) at += code >= 0xd800 && code <= 0xdbff ? 2 : 1;
    else return at;
  }
}

function isAsciiNamePart(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || isDigit(code);
}

function isOtherNamePart(source: string, at: number): boolean {
  return /\p{ID_Continue}/u.test(String.fromCodePoint(source.codePointAt(at) ?? 0));
}
