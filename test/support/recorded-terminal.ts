import { runCli } from '../../apps/cli/src/program.js';
import type { Terminal } from '../../apps/cli/src/terminal.js';

/** Keeps what a command writes. */
export class RecordedTerminal implements Terminal {
  readonly colours: boolean;
  stdout = '';
  stderr = '';
  readonly #input: string;

  constructor({ colours = false, input = '' } = {}) {
    this.colours = colours;
    this.#input = input;
  }

  out(text: string): void {
    this.stdout += text;
  }

  err(text: string): void {
    this.stderr += text;
  }

  async input(): Promise<Uint8Array> {
    return Buffer.from(this.#input);
  }
}

/** Runs a command line in this process. */
export async function nestor(
  args: readonly string[],
  terminal = new RecordedTerminal(),
): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
  const code = await runCli(args, terminal);
  return { code, stdout: terminal.stdout, stderr: terminal.stderr };
}
