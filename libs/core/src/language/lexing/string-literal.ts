/** Tells of a wrong escape at `[start, end)` of the text. */
export type EscapeProblem = (start: number, end: number, message: string) => void;

const SIMPLE: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\\': '\\', '"': '"', $: '$' };

/** What the inside of a `"…"` string means, its escapes resolved; a wrong escape is told and left out. */
export function decodeText(written: string, problem: EscapeProblem): string {
  let text = '';
  let done = 0;
  for (;;) {
    const backslash = written.indexOf('\\', done);
    if (backslash === -1) return text + written.slice(done);
    const escape = readEscape(written, backslash);
    text += written.slice(done, backslash) + escape.text;
    done = backslash + escape.length;
    if (escape.problem !== undefined) problem(backslash, done, escape.problem);
  }
}

interface Escape {
  readonly text: string;
  /** Code units, the backslash included. */
  readonly length: number;
  readonly problem?: string;
}

function readEscape(written: string, at: number): Escape {
  const letter = String.fromCodePoint(written.codePointAt(at + 1) ?? 32);
  const simple = SIMPLE[letter];
  if (simple !== undefined) return { text: simple, length: 2 };
  if (letter === 'u') return readUnicodeEscape(written.slice(at, at + 12));
  return { text: '', length: 1 + letter.length, problem: `"\\${letter}" is no escape.` };
}

function readUnicodeEscape(written: string): Escape {
  const braced = /^\\u\{([0-9a-fA-F]{1,6})\}/.exec(written);
  if (braced) return character(braced[0], Number.parseInt(braced[1] ?? '', 16));
  const pair = /^\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})/.exec(written);
  if (pair) {
    const halves = [Number.parseInt(pair[1] ?? '', 16), Number.parseInt(pair[2] ?? '', 16)];
    return { text: String.fromCharCode(...halves), length: pair[0].length };
  }
  const plain = /^\\u([0-9a-fA-F]{4})/.exec(written);
  if (plain) return character(plain[0], Number.parseInt(plain[1] ?? '', 16));
  return { text: '', length: 2, problem: '"\\u" needs four hexadecimal digits, or one to six in braces.' };
}

function character(written: string, code: number): Escape {
  const { length } = written;
  if (code > 0x10ffff)
    return { text: '', length, problem: `"${written}" is beyond the last character, \\u{10FFFF}.` };
  if (code >= 0xd800 && code <= 0xdfff) {
    return { text: '', length, problem: `"${written}" is half a character; the other half is missing.` };
  }
  return { text: String.fromCodePoint(code), length };
}

/**
 * The text of a `"""…"""` string, its quotes included in `[start, end)`: as it is typed, indentation and all, but for a
 * line break right after the opening quotes, which is dropped. Every line ends in `\n`, however the file is stored.
 */
export function rawText(source: string, start: number, end: number): string {
  return source
    .slice(start + 3, end - 3)
    .replaceAll(/\r\n?/g, '\n')
    .replace(/^\n/, '');
}
