const QUOTE = 34;
const BACKSLASH = 92;
const PLUS = 43;
const MINUS = 45;
const POINT = 46;
const LOWER_E = 101;
const LOWER_CASE_BIT = 32;
const LONG_INTEGER = /^-?\d{16,}$/;
const LONG_DIGITS = /\d{16}/;

/**
 * `JSON.parse`, but an integer that a number would round comes as the string of its digits. Meant for
 * text that holds values a tool is to get.
 *
 * @throws SyntaxError as `JSON.parse` does.
 */
export function parseExactJson(text: string): unknown {
  if (!LONG_DIGITS.test(text)) return JSON.parse(text);
  let exact = '';
  let copied = 0;
  for (let at = 0; at < text.length;) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) at = endOfString(text, at + 1);
    else if (!isNumberUnit(unit)) at++;
    else {
      const end = endOfNumber(text, at);
      const number = text.slice(at, end);
      if (LONG_INTEGER.test(number) && !Number.isSafeInteger(Number(number))) {
        exact += `${text.slice(copied, at)}"${number}"`;
        copied = end;
      }
      at = end;
    }
  }
  return JSON.parse(exact + text.slice(copied));
}

function endOfString(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at + 1;
}

function endOfNumber(text: string, from: number): number {
  let at = from + 1;
  while (isNumberUnit(text.charCodeAt(at))) at++;
  return at;
}

/** Whether it occurs in numbers; other words with an e are read as numbers too, which does no harm. */
function isNumberUnit(unit: number): boolean {
  const isDigit = unit >= 48 && unit <= 57;
  return isDigit || unit === PLUS || unit === MINUS || unit === POINT || (unit | LOWER_CASE_BIT) === LOWER_E;
}
