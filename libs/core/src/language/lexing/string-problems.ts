export const RAW_QUOTES = '"""';

export const OPENING_QUOTE = 'The opening quote of this text is missing.';
export const CLOSING_QUOTE = 'This string is not closed: a quote is missing on its line.';
export const LATER_QUOTE = 'This string is not closed on its line, and a "…" string has one line.';

/** What closes, by the code of a problem; else it is a quote. */
export const CLOSERS: Readonly<Record<string, string>> = {
  'unclosed-comment': '"*/"',
  'unclosed-interpolation': '"}"',
};
