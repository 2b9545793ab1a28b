const SPACE = /[ \t\n\r]*/y;
const LITERAL = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
/** All but its closing quote; control characters, below the space, must be escaped. */
const STRING_START = /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*/y;

/** The index of the first character that cannot belong to JSON; the length of the text if it ends too early. */
export function jsonErrorPosition(text: string): number {
  const open: ('{' | '[')[] = [];
  let expected: 'value' | 'key' | 'colon' | 'next' = 'value';
  let mayClose = false;
  for (let at = skip(SPACE, text, 0); ; at = skip(SPACE, text, at)) {
    const char = text[at];
    const container = open.at(-1);
    if (container && mayClose && char === (container === '{' ? '}' : ']')) {
      open.pop();
      expected = 'next';
      at += 1;
    } else if (expected === 'next') {
      if (char !== ',' || !container) return at;
      expected = container === '{' ? 'key' : 'value';
      mayClose = false;
      at += 1;
    } else if (expected === 'colon') {
      if (char !== ':') return at;
      expected = 'value';
      mayClose = false;
      at += 1;
    } else if (expected === 'value' && (char === '{' || char === '[')) {
      open.push(char);
      expected = char === '{' ? 'key' : 'value';
      mayClose = true;
      at += 1;
    } else {
      const end = scalarEnd(text, at, expected);
      if (!end.whole) return end.at;
      expected = expected === 'key' ? 'colon' : 'next';
      mayClose = true;
      at = end.at;
    }
  }
}

/** Where a string, number or word ends, or where it goes wrong. */
function scalarEnd(text: string, at: number, expected: 'key' | 'value'): { at: number; whole: boolean } {
  if (text[at] === '"') {
    const quote = skip(STRING_START, text, at);
    return text[quote] === '"' ? { at: quote + 1, whole: true } : { at: quote, whole: false };
  }
  const end = expected === 'value' ? skip(LITERAL, text, at) : at;
  return { at: end, whole: end > at };
}

/** The index after what the sticky pattern matches at the place; the place itself if it does not match. */
function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
