/** Where a command reads and writes. */
export interface Terminal {
  /** True if what goes to `out` may be coloured. */
  readonly colours: boolean;
  /** The result, on stdout. */
  out(text: string): void;
  /** What people are told beside it, on stderr. */
  err(text: string): void;
  /** All of stdin. */
  input(): Promise<Uint8Array>;
}
