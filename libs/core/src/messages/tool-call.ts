/** A tool call as the model asked for it. */
export interface ToolCall {
  /** The provider's id, made unique within the run. */
  readonly id: string;
  readonly name: string;
  /** The arguments as a JSON string, exactly as the model sent it; it may be empty or not even be JSON. */
  readonly arguments: string;
}
