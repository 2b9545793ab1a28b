const WORD = /[\p{L}\p{N}]+/gu;

const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about all am an and any anybody are as at be been but by can cannot could do does for from get had has have how i
   if in into is it its me my no not of on one or our please shall should so than that the their them then there they
   this those to too up us use used was we were what when where which who why will with would you your`.split(
    /\s+/,
  ),
);

/** The searchable words of a text: lower case, without accents and stop words, cut to their stems, in order. */
export function tokenise(text: string): string[] {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return (plain.match(WORD) ?? []).filter((word) => !STOP_WORDS.has(word)).map(stem);
}

/**
 * Brings the forms of an English word together: "invoices" and "invoice", "resetting" and "reset". The stem need be
 * no word, it must only be the same for all forms.
 */
function stem(word: string): string {
  if (word.length < 4) return word;
  return word
    .replace(/ies$/, 'y')
    .replace(/(?<![isu])s$/, '')
    .replace(/(?<=..)(ing|ed)$/, '')
    .replace(/([^aeiou])\1$/, '$1')
    .replace(/e$/, '');
}
