/** Control characters, and those that turn or hide text, as signs that are seen and do nothing. Tabs stay. */
export function visible(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, visibleCharacter);
}

/** Columns a terminal gives a character: two for wide ones, none for what joins the one before. */
export function columnsOf(character: string): number {
  if (/^\p{M}/u.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

const WIDE =
  /^(?:\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}])/u;

function visibleCharacter(character: string): string {
  const code = character.charCodeAt(0);
  if (code === 9) return character;
  // Unicode has a picture for each ASCII control character.
  if (code < 32) return String.fromCharCode(0x2400 + code);
  return code === 127 ? '\u2421' : '\uFFFD';
}
