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

export const processTerminal: Terminal = {
  colours: process.stdout.isTTY && !process.env['NO_COLOR'],
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  input: async () => Buffer.concat(await process.stdin.toArray()),
};
