/** A file in the agent language. */
export interface AgentFile {
  /** Below the working directory, if it is there: as people know it. */
  readonly path: string;
  readonly source: string;
}

/** One that cannot be read. */
export interface UnreadableFile {
  readonly path: string;
  /** What it is and why not, as a sentence. */
  readonly problem: string;
}
