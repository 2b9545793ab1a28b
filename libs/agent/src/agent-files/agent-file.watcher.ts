import { Logger } from '@nestjs/common';
import type { AgentDef, OperatorRegistry } from '@nestor/core';
import type { AgentFile } from './agent-file.js';
import { AgentFileSet } from './agent-file-set.js';
import { compileAgentFile } from './compile-agent-files.js';

/** How often files are looked at, in ms. A look reads them: they are few and small. */
const LOOK_MS = 500;

export interface WatchOptions {
  readonly patterns: readonly string[];
  readonly registry: OperatorRegistry;
  /** Takes a definition that is new or has changed, for the runs that begin from now on. */
  readonly use: (def: AgentDef) => void;
}

/** Compiles agent files again when they change. A file with errors leaves its agents as they were. */
export class AgentFileWatcher {
  readonly #logger = new Logger('AgentFiles');
  readonly #options: WatchOptions;
  readonly #files: AgentFileSet;
  /** The source of each file as it was last looked at, by its path. */
  readonly #known = new Map<string, string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#files = new AgentFileSet(options.patterns);
  }

  /** What the files hold now counts as known. */
  start(): void {
    for (const { path, source } of this.#read()) this.#known.set(path, source);
    this.#timer = setInterval(() => this.look(), LOOK_MS);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Takes what has changed since the last look. */
  look(): void {
    for (const file of this.#read()) {
      if (this.#known.get(file.path) === file.source) continue;
      this.#known.set(file.path, file.source);
      this.#take(file);
    }
  }

  #read(): readonly AgentFile[] {
    try {
      return this.#files.read();
    } catch {
      // An editor may have the only file away for a moment, while it saves.
      return [];
    }
  }

  #take(file: AgentFile): void {
    const { definitions, errors, warnings } = compileAgentFile(file, this.#options.registry);
    if (warnings) this.#logger.warn(warnings);
    if (errors) {
      this.#logger.error(`${file.path} has errors; its agents stay as they were.\n\n${errors}`);
      return;
    }
    try {
      for (const def of definitions) this.#options.use(def);
      const names = definitions.map(({ id }) => id).join(', ');
      this.#logger.log(`${file.path} has changed: new runs of ${names} follow it.`);
    } catch (error) {
      this.#logger.error(
        `${file.path} cannot be used: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
}
