import { fstatSync, writeFileSync } from 'node:fs';

/** stdout or stderr: a pipe, whose reader the process has to wait for, a terminal, or a file on a disk that may be full. */
export class StandardOutput {
  readonly #stream: NodeJS.WriteStream & { readonly fd: number };
  readonly #isFile: boolean;
  #failure: NodeJS.ErrnoException | undefined;

  constructor(stream: NodeJS.WriteStream & { readonly fd: number }) {
    this.#stream = stream;
    this.#isFile = isFile(stream.fd);
    stream.on('error', (error: Error) => (this.#failure ??= error));
  }

  /** Nothing more once a text could not be written. */
  write(text: string): void {
    if (this.#failure) return;
    if (!this.#isFile) {
      this.#stream.write(text);
      return;
    }
    try {
      // The stream of a file does not look whether all of a text was written.
      writeFileSync(this.#stream.fd, text);
    } catch (error) {
      this.#failure = error instanceof Error ? error : new Error(String(error));
    }
  }

  /**
   * Resolves when all that was written has left the process, with what kept it from that. A pipe that its reader has
   * closed is no failure: as in `nestor check … | head`, it has had enough.
   */
  async flush(): Promise<Error | undefined> {
    // Called in its turn, or when the stream fails.
    await new Promise<void>((resolve) => void this.#stream.write('', () => resolve()));
    return this.#failure?.code === 'EPIPE' ? undefined : this.#failure;
  }
}

function isFile(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isFile();
  } catch {
    return false; // closed
  }
}
