// Tables of figures, with the median of the rounds in each cell.
import { median } from './measure.mjs';
import { OURS } from './plan.mjs';

/** Costs that mean something as a multiple of the floor's. */
const COMPARED = new Set(['cpuUs', 'cpuMs', 'allocatedKb']);

/** @param figures by runner, one entry per round. */
export function table({ title, columns, target }, figures) {
  const of = (runner, key) => median(figures[runner].map((round) => round[key]));
  const ratio = (runner, key) => (figures.floor ? of(runner, key) / of('floor', key) : undefined);
  const runners = Object.keys(figures).filter((runner) => figures[runner].length > 0);
  const head = columns.flatMap(([key, name]) => (COMPARED.has(key) ? [name, 'x floor'] : [name]));
  const rows = runners.map((runner) => {
    const cells = columns.flatMap(([key, , digits], index) => {
      const values = figures[runner].map((round) => round[key]);
      const cell = number(median(values), digits) + (index === 0 ? range(values, digits) : '');
      return COMPARED.has(key) ? [cell, times(ratio(runner, key))] : [cell];
    });
    const [[first]] = columns;
    const judged = OURS.has(runner) ? verdict(target, of(runner, first), ratio(runner, first)) : '';
    return [runner, ...cells, judged];
  });
  return `\n${title}\n\n${markdown([['runner', ...head, 'target'], ...rows])}`;
}

function verdict({ ratio: most, limit }, value, ratio) {
  if (limit !== undefined) return `${value < limit ? 'ok' : 'MISS'} (< ${number(limit, 0)})`;
  if (ratio === undefined) return `unknown without the floor (<= ${most}x)`;
  return `${ratio <= most ? 'ok' : 'MISS'} (<= ${most}x)`;
}

function range(values, digits) {
  if (values.length === 1) return '';
  return ` (${number(Math.min(...values), digits)} to ${number(Math.max(...values), digits)})`;
}

const times = (ratio) => (ratio === undefined ? '' : `${ratio.toFixed(2)}x`);

function number(value, digits) {
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

function markdown([head, ...rows]) {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column].length)));
  const line = (row) =>
    `| ${row.map((cell, i) => (i ? cell.padStart(widths[i]) : cell.padEnd(widths[i]))).join(' | ')} |`;
  const rule = `|${widths.map((width, i) => '-'.repeat(width + 1) + (i ? ':' : '-')).join('|')}|`;
  return [line(head), rule, ...rows.map(line)].join('\n');
}
