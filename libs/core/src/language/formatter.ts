import type { Diagnostic } from './diagnostic.js';
import { printFile } from './formatting/block.printer.js';
import { parse } from './parser.js';
import { SourceText } from './formatting/source-text.js';

export type FormatResult = { readonly text: string } | { readonly diagnostics: readonly Diagnostic[] };

/**
 * The source in the one layout: two spaces, one assignment per line, lines up to 100 columns where they can be broken,
 * `\n` and a final one. What it means and all comments stay; formatted text stays as it is. A source with errors is not
 * formatted: its diagnostics are given instead.
 * @throws TypeError if `source` is no string.
 */
export function formatSource(source: string): FormatResult {
  const { file, diagnostics, comments } = parse(source);
  if (diagnostics.length > 0) return { diagnostics };
  return { text: printFile(file, new SourceText(source, comments)) };
}
