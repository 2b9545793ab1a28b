/** A file in the agent language. */
export interface AgentFile {
  /** Below the working directory, if it is there: as people know it. */
  readonly path: string;
  readonly source: string;
}
