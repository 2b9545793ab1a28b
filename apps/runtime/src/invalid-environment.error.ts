/** Environment variables that the runtime cannot work with. */
export class InvalidEnvironmentError extends Error {
  /** One sentence or two per variable: what is wrong and what to do. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'InvalidEnvironmentError';
    this.problems = problems;
  }
}
