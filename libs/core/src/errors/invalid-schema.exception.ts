import { AgentException } from './agent.exception.js';

export interface InvalidSchemaDetails {
  /** Whose schema, e.g. `operator "search" (KnowledgeBase.search)`. */
  readonly where: string;
  /** What is wrong, as the end of a sentence. */
  readonly problem: string;
  /** What to do about it, as a sentence. */
  readonly remedy: string;
  /** The part of the schema, e.g. `when.from`, if it is known. */
  readonly path?: string | undefined;
  readonly cause?: unknown;
}

/** Thrown at definition time for a schema that cannot be shown to a model or cannot be checked. */
export class InvalidSchemaException extends AgentException {
  readonly where: string;
  readonly path: string | undefined;

  constructor({ where, problem, remedy, path, cause }: InvalidSchemaDetails) {
    super(`The schema of ${where} cannot be used${path ? ` (at "${path}")` : ''}: ${problem}. ${remedy}`, {
      code: 'invalid_schema',
      cause,
    });
    this.where = where;
    this.path = path;
  }
}
