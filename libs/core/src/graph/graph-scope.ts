/** What the input of a node can be made from. */
export interface GraphScope {
  /** The validated arguments of the tool call. */
  readonly toolArgs: unknown;
  /** The application's context of the run. */
  readonly ctx: Readonly<Record<string, unknown>>;
  /** Outputs of the nodes before, by node id. */
  readonly nodes: ReadonlyMap<string, unknown>;
}
