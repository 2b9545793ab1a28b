import type { AgentDef, OperatorCatalog } from '@nestor/core';
import { DuplicateAgentException } from '../agents/agent.registry.js';
import type { AgentFile, UnreadableFile } from './agent-file.js';
import { compileAgentFile, declaringFiles, type CompiledFile } from './compile-agent-files.js';

export interface JudgeOptions {
  /** The file that each agent of files was taken from. */
  readonly served: ReadonlyMap<string, AgentFile>;
  /** Whether there is an agent of that name, from wherever. */
  readonly exists: (id: string) => boolean;
  /** The operators there are, if these are the agents of files. */
  readonly operators: (agents: ReadonlySet<string>) => OperatorCatalog;
}

/** What is to become of the agents of files. What is not mentioned stays as it was. */
export interface Judgement<T extends AgentFile> {
  /** Files with the definitions in them that are new, or whose file is another one now. */
  readonly changed: readonly ChangedFile<T>[];
  /** Agents that no file declares any more. */
  readonly gone: readonly string[];
  /** What is wrong, for people. */
  readonly problems: readonly string[];
}

export interface ChangedFile<T extends AgentFile> {
  readonly file: T;
  /** At least one. */
  readonly definitions: readonly AgentDef[];
  /** For people; empty if there are none. */
  readonly warnings: string;
}

type Compiled<T extends AgentFile> = CompiledFile & { readonly file: T };

/** Judges files as one application: their agents may name one another, and no two may have one name. */
export function judgeAgentFiles<T extends AgentFile>(
  files: readonly (T | UnreadableFile)[],
  options: JudgeOptions,
): Judgement<T> {
  const { served } = options;
  const readable = files.filter((file): file is T => 'source' in file);
  const unreadable = files.filter((file): file is UnreadableFile => 'problem' in file);
  const declaring = declaringFiles(readable);
  const conflicts = conflictsOf(declaring, options);
  const isGone = (id: string, broken: ReadonlySet<string>): boolean =>
    !declaring.has(id) && !broken.has(served.get(id)?.path ?? '');
  const agents = (broken: ReadonlySet<string>): ReadonlySet<string> => {
    const kept = [...served.keys()].filter((id) => !isGone(id, broken));
    const declared = [...declaring].filter(
      ([id, [file]]) => !conflicts.has(id) && file !== undefined && !broken.has(file.path),
    );
    return new Set([...kept, ...declared.map(([id]) => id)]);
  };
  const paths = unreadable.map(({ path }) => path);
  const { compiled, broken } = compileTogether(readable, paths, (without) =>
    options.operators(agents(without)),
  );
  return {
    changed: compiled.flatMap((file) => changedIn(file, served, conflicts)),
    gone: [...served.keys()].filter((id) => isGone(id, broken)),
    problems: [
      ...unreadable.map(({ problem }) => `${problem} Its agents stay as they were.`),
      ...compiled.flatMap(({ file: { path }, errors }) =>
        errors ? [`${path} has errors; its agents stay as they were.\n\n${errors}`] : [],
      ),
      ...conflicts.values(),
    ],
  };
}

/** Compiles files until no more of them fail for want of agents that others of them do not bring after all. */
function compileTogether<T extends AgentFile>(
  files: readonly T[],
  unreadable: readonly string[],
  operators: (broken: ReadonlySet<string>) => OperatorCatalog,
): { readonly compiled: readonly Compiled<T>[]; readonly broken: ReadonlySet<string> } {
  let broken = new Set(unreadable);
  for (;;) {
    const catalog = operators(broken);
    const compiled = files.map((file) => ({ file, ...compileAgentFile(file, catalog) }));
    const failed = compiled.flatMap(({ file, errors }) => (errors ? [file.path] : []));
    const known = broken.size;
    broken = new Set([...unreadable, ...failed]);
    if (broken.size === known) return { compiled, broken };
  }
}

/** What is wrong with agents that are in two files, or elsewhere too, by their names. */
function conflictsOf(
  declaring: ReadonlyMap<string, readonly AgentFile[]>,
  { served, exists }: JudgeOptions,
): ReadonlyMap<string, string> {
  const conflicts = [...declaring].filter(
    ([id, { length }]) => length > 1 || (exists(id) && !served.has(id)),
  );
  return new Map(
    conflicts.map(([id, files]) => {
      const { message } = new DuplicateAgentException(
        id,
        files.map(({ path }) => path),
      );
      return [id, `${message} Until then it stays as it was.`];
    }),
  );
}

function changedIn<T extends AgentFile>(
  { file, definitions, warnings }: Compiled<T>,
  served: ReadonlyMap<string, AgentFile>,
  conflicts: ReadonlyMap<string, string>,
): ChangedFile<T>[] {
  const changed = definitions.filter(({ id }) => {
    const before = served.get(id);
    return !conflicts.has(id) && (before?.path !== file.path || before.source !== file.source);
  });
  return changed.length > 0 ? [{ file, definitions: changed, warnings }] : [];
}
