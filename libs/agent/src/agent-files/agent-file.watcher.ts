import { Logger } from '@nestjs/common';
import type { AgentDef, OperatorRegistry } from '@nestor/core';
import type { AgentFile, UnreadableFile } from './agent-file.js';
import type { AgentFileSet } from './agent-file-set.js';
import { declaringFiles } from './compile-agent-files.js';
import { judgeAgentFiles, type ChangedFile } from './judge-agent-files.js';
import { OfferedOperators } from './offered-operators.js';

/** How often files are looked at, in ms. A look reads them: they are few and small. */
const LOOK_MS = 250;

export interface WatchOptions {
  readonly registry: OperatorRegistry;
  /** Whether there is an agent of that name, from wherever. */
  readonly exists: (id: string) => boolean;
  /** An agent of that name is about to be taken: others may name it from now on. */
  readonly announce: (id: string) => void;
  /** Takes a definition for the runs that begin, or go on, from now on. */
  readonly use: (def: AgentDef, set: AgentFileSet) => void;
  /** There are to be no new runs of this agent. */
  readonly drop: (id: string) => void;
}

/** A file, and the set that it is in. */
type Owned<T> = T & { readonly set: AgentFileSet };
type Found = Owned<AgentFile> | Owned<UnreadableFile>;

/**
 * Brings the agents of files up to what the files say, as one application: whatever changes, all of them are judged.
 * What cannot be used leaves its agents as they were, and is told once.
 */
export class AgentFileWatcher {
  readonly #logger = new Logger('AgentFiles');
  readonly #options: WatchOptions;
  readonly #sets = new Set<AgentFileSet>();
  /** The file that each agent was taken from. */
  readonly #served = new Map<string, AgentFile>();
  /** Every agent that was ever served from a file. */
  readonly #ever = new Set<string>();
  /** What the last look found, and what was judged last. */
  #found: readonly Found[] = [];
  #judged: readonly Found[] = [];
  #told: ReadonlySet<string> = new Set();
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  /** Watches a set too. @param files what it holds, and what is served of it */
  add(set: AgentFileSet, files: readonly AgentFile[]): void {
    this.#sets.add(set);
    this.#found = this.#judged = [...this.#judged, ...files.map((file) => ({ ...file, set }))];
    for (const [id, [file]] of declaringFiles(files)) if (file) this.#serve(id, file);
    this.#timer ??= setInterval(() => this.#lookAgain(), LOOK_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#sets.clear();
  }

  /** Takes over what has changed, if the look before found the same: a file may be half written, or away for a moment. */
  async look(): Promise<void> {
    const before = this.#found;
    const found = await this.#read();
    // Meanwhile a set may have been added, or all of it have ended.
    if (before !== this.#found || this.#sets.size === 0) return;
    this.#found = found;
    if (!equal(found, before) || equal(found, this.#judged)) return;
    this.#judged = found;
    this.#judge();
  }

  /** One look at a time. */
  #lookAgain(): void {
    if (this.#isLooking) return;
    this.#isLooking = true;
    void this.look()
      .catch((error: unknown) => this.#tell(`Agent files cannot be looked for: ${messageOf(error)}`))
      .finally(() => (this.#isLooking = false));
  }

  async #read(): Promise<readonly Found[]> {
    const sets = [...this.#sets].map(async (set) => (await set.look()).map((file) => ({ ...file, set })));
    return (await Promise.all(sets)).flat();
  }

  #judge(): void {
    const { registry, exists } = this.#options;
    const { changed, gone, problems } = judgeAgentFiles<Owned<AgentFile>>(this.#judged, {
      served: this.#served,
      exists,
      operators: (agents) => new OfferedOperators(registry, agents, this.#ever),
    });
    for (const id of gone) this.#drop(id);
    for (const { definitions } of changed) for (const { id } of definitions) this.#options.announce(id);
    const unusable = changed.flatMap((file) => this.#take(file));
    const wrong = [...problems, ...unusable];
    for (const problem of wrong) this.#tell(problem);
    this.#told = new Set(wrong);
  }

  /** Gives what keeps definitions from being used. */
  #take({ file, definitions, warnings }: ChangedFile<Owned<AgentFile>>): string[] {
    if (warnings) this.#logger.warn(warnings);
    const problems: string[] = [];
    const taken = definitions.filter((def) => {
      try {
        this.#options.use(def, file.set);
        this.#serve(def.id, file);
        return true;
      } catch (error) {
        problems.push(`Agent "${def.id}" of ${file.path} cannot be used: ${messageOf(error)}`);
        return false;
      }
    });
    const names = taken.map(({ id }) => id).join(', ');
    if (names) {
      this.#logger.log(
        `${file.path} is taken over: new runs of ${names} follow it, and runs that wait when they go on.`,
      );
    }
    return problems;
  }

  #serve(id: string, file: AgentFile): void {
    this.#served.set(id, file);
    this.#ever.add(id);
  }

  #drop(id: string): void {
    this.#served.delete(id);
    this.#options.drop(id);
    this.#logger.warn(
      `Agent "${id}" is in no file any more: it has no new runs. Those that wait do so until it is back.`,
    );
  }

  /** Once, until something else is wrong. */
  #tell(problem: string): void {
    if (!this.#told.has(problem)) this.#logger.error(problem);
    this.#told = new Set([...this.#told, problem]);
  }
}

function equal(files: readonly Found[], others: readonly Found[]): boolean {
  return (
    files.length === others.length &&
    files.every((file, index) => {
      const other = others[index];
      return file.set === other?.set && file.path === other.path && contentOf(file) === contentOf(other);
    })
  );
}

function contentOf(file: Found): string {
  return 'source' in file ? `source ${file.source}` : file.problem;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
