/**
 * Text for people: what a terminal would act on, such as an escape sequence in a name, is written as `\u001b`. Line
 * breaks and tabs stay.
 */
export function printable(text: string): string {
  return text.replaceAll(/(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, escaped);
}

/** A name within a text for people, on one line. */
export function printableName(name: string): string {
  return printable(name).replaceAll(/[\n\t]/g, escaped);
}

/** A value as JSON that shows nothing a terminal would act on, and means the same. */
export function printableJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2).replaceAll(/[\u007f-\u009f\u2028\u2029]/g, escaped)}\n`;
}

function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, index) => {
    const code = character.charCodeAt(index).toString(16);
    return `\\u${code.padStart(4, '0')}`;
  }).join('');
}
