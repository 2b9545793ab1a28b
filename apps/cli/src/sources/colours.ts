const RED = '\u001b[31m';
const YELLOW = '\u001b[33m';
const CYAN = '\u001b[36m';
const BOLD = '\u001b[1m';
const PLAIN = '\u001b[0m';

/** Colours a rendered diagnostic: its severity and carets in red or yellow, places bold, the hint in cyan. */
export function inColour(rendered: string, severity: 'error' | 'warning'): string {
  const colour = severity === 'error' ? RED : YELLOW;
  const [head = '', ...others] = rendered.split('\n');
  const lines = others.map((line) =>
    line
      .replace(/^( +\| \s*)(\^+)$/, `$1${colour}$2${PLAIN}`)
      .replace(/^ {2}hint: /, `  ${CYAN}hint:${PLAIN} `)
      .replace(/^\S.*?:\d+:\d+(?= )/, `${BOLD}$&${PLAIN}`),
  );
  const first = head.replace(
    /^(.*?:\d+:\d+) ((?:error|warning)\[[\w-]+\])/,
    `${BOLD}$1${PLAIN} ${colour}$2${PLAIN}`,
  );
  return [first, ...lines].join('\n');
}
