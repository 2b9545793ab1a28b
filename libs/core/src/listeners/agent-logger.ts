/** Where warnings go. Nest's `Logger` fits; core itself writes nowhere else. */
export interface AgentLogger {
  debug?(message: string): void;
  log(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

export const SILENT_LOGGER: AgentLogger = Object.freeze({ log() {}, warn() {}, error() {} });
