import { appendFileSync, readFileSync } from 'node:fs';

/**
 * What happened outside the database, in the order it happened: each line is appended at once, by whichever process.
 * `call`: a tool or the model was called · `stored`: the result was committed · `found`: a process that took the run
 * over saw the result · `refused`: a process that had lost the run wanted to write · `point`: a process ended itself.
 */
export interface Effect {
  readonly kind: 'call' | 'stored' | 'found' | 'refused' | 'point';
  /** Of the tool, or `model`; the name of the `point`. */
  readonly name: string;
  /** Of the call; the id of the run for a `point`. */
  readonly key: string;
}

export interface EffectFigures {
  /** Calls of at-most-once tools made more than once. */
  readonly repeatedOnce: number;
  /** Calls, of the model too, made after their result was committed. */
  readonly calledAfterResult: number;
  /** Keys of the keyed tool: one per call of the model, however often it was called with it. */
  readonly keyedEffects: ReadonlySet<string>;
  /** Calls of the keyed tool that came again, with the same key. */
  readonly keyedRepeats: number;
  readonly refusedWrites: number;
}

/** Tools that may be called once only: those of no declared effect. */
const AT_MOST_ONCE = ['once', 'paid'];

export function appendEffect(file: string, { kind, name, key }: Effect): void {
  appendFileSync(file, `${kind} ${name} ${key}\n`);
}

export function readEffects(file: string): Effect[] {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => {
    const [kind, name, key] = line.split(' ');
    return { kind: kind as Effect['kind'], name: name!, key: key! };
  });
}

export function effectFigures(effects: readonly Effect[]): EffectFigures {
  const committed = new Set<string>();
  const calls = effects.filter(({ kind }) => kind === 'call');
  const keysOf = (tool: string): string[] => calls.filter(({ name }) => name === tool).map(({ key }) => key);
  let calledAfterResult = 0;
  for (const { kind, key } of effects) {
    if (kind === 'stored' || kind === 'found') committed.add(key);
    if (kind === 'call' && committed.has(key)) calledAfterResult += 1;
  }
  const keyed = keysOf('keyed');
  const once = AT_MOST_ONCE.flatMap(keysOf);
  const keyedEffects = new Set(keyed);
  return {
    repeatedOnce: once.length - new Set(once).size,
    calledAfterResult,
    keyedEffects,
    keyedRepeats: keyed.length - keyedEffects.size,
    refusedWrites: effects.filter(({ kind }) => kind === 'refused').length,
  };
}
