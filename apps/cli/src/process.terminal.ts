import { reasonOf, UNUSABLE } from './cli.error.js';
import { StandardOutput } from './standard-output.js';
import type { Terminal } from './terminal.js';

/** The terminal, pipes or files that this process was started with. */
export class ProcessTerminal implements Terminal {
  readonly colours = process.stdout.isTTY && !process.env['NO_COLOR'];
  readonly #out = new StandardOutput(process.stdout);
  readonly #err = new StandardOutput(process.stderr);

  out(text: string): void {
    this.#out.write(text);
  }

  err(text: string): void {
    this.#err.write(text);
  }

  async input(): Promise<Uint8Array> {
    return Buffer.concat(await process.stdin.toArray());
  }

  /**
   * Resolves when all that was written has been taken, however slowly it is read; tells of what could not be written.
   * @returns the exit code, which is another one then
   */
  async flush(exitCode: number): Promise<number> {
    const lost = await this.#out.flush();
    if (lost) this.err(`nestor: Cannot write to stdout: ${reasonOf(lost)}\n`);
    const untold = await this.#err.flush();
    return lost || untold ? UNUSABLE : exitCode;
  }
}
