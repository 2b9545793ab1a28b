/** `did you mean …` for the name that is probably meant, else the other hint. */
export function suggestion(meant: string | undefined, otherwise: string): string {
  return meant === undefined ? otherwise : `did you mean "${meant}"?`;
}

const MOST = 20;

/** `a, b and c`; `none` if there are none. Of many, the first twenty. */
export function listed(names: readonly string[]): string {
  if (names.length > MOST) return `${names.slice(0, MOST).join(', ')} and ${names.length - MOST} others`;
  if (names.length < 2) return names[0] ?? 'none';
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
