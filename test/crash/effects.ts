import { appendFileSync, readFileSync } from 'node:fs';

/**
 * What happened outside the database, in the order it happened: each line is appended at once, by whichever process.
 * `call`: a tool was called · `stored`: its result was committed · `found`: a process that took the run over saw the
 * result · `refused`: a process that had lost the run wanted to write.
 */
export interface Effect {
  readonly kind: 'call' | 'stored' | 'found' | 'refused';
  readonly tool: string;
  readonly key: string;
}

export interface EffectFigures {
  /** Calls of the at-most-once tool made more than once. */
  readonly repeatedOnce: number;
  /** Calls made after their result was committed. */
  readonly calledAfterResult: number;
  /** Keys of the keyed tool: one per call of the model, however often it was called with it. */
  readonly keyedEffects: ReadonlySet<string>;
  /** Calls of the keyed tool that came again, with the same key. */
  readonly keyedRepeats: number;
  readonly refusedWrites: number;
}

export function appendEffect(file: string, { kind, tool, key }: Effect): void {
  appendFileSync(file, `${kind} ${tool} ${key}\n`);
}

export function readEffects(file: string): Effect[] {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => {
    const [kind, tool, key] = line.split(' ');
    return { kind: kind as Effect['kind'], tool: tool!, key: key! };
  });
}

export function effectFigures(effects: readonly Effect[]): EffectFigures {
  const committed = new Set<string>();
  const calls = effects.filter(({ kind }) => kind === 'call');
  const keysOf = (name: string): string[] => calls.filter(({ tool }) => tool === name).map(({ key }) => key);
  let calledAfterResult = 0;
  for (const { kind, key } of effects) {
    if (kind === 'stored' || kind === 'found') committed.add(key);
    if (kind === 'call' && committed.has(key)) calledAfterResult += 1;
  }
  const keyed = keysOf('keyed');
  const once = keysOf('once');
  const keyedEffects = new Set(keyed);
  return {
    repeatedOnce: once.length - new Set(once).size,
    calledAfterResult,
    keyedEffects,
    keyedRepeats: keyed.length - keyedEffects.size,
    refusedWrites: effects.filter(({ kind }) => kind === 'refused').length,
  };
}
