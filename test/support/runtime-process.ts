import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** A runtime in a process of its own, as `npm start` runs it. */
export class RuntimeProcess {
  readonly #child: ChildProcess;
  #output = '';
  #url = '';

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  get url(): string {
    return this.#url;
  }

  /** All that it has printed. */
  get output(): string {
    return this.#output;
  }

  /**
   * Resolves when it serves.
   * @param file the main file
   * @param environment in place of that of the tests
   * @param folder where it is started. Default: where the tests are
   * @throws Error with the exit code and all that was printed, if it ends before that
   */
  static async start(
    file: string,
    environment: Readonly<Record<string, string>>,
    folder?: string,
  ): Promise<RuntimeProcess> {
    const child = spawn(process.execPath, [file], {
      env: { PATH: process.env['PATH'], PORT: '0', ...environment },
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const runtime = new RuntimeProcess(child);
    await runtime.#listening();
    return runtime;
  }

  /** As `kill -9`, or losing power: it can do nothing more. Without effect on one that has ended. */
  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exit = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await exit;
  }

  #listening(): Promise<void> {
    return new Promise((resolve, reject) => {
      const read = (text: string): void => {
        this.#output += text;
        const found = /listening on (http:\/\/\S+)/.exec(this.#output)?.[1];
        if (found === undefined || this.#url !== '') return;
        this.#url = found;
        resolve();
      };
      this.#child.stdout?.setEncoding('utf8').on('data', read);
      this.#child.stderr?.setEncoding('utf8').on('data', read);
      this.#child.once('close', (code) =>
        reject(new Error(`The runtime ended with ${code}:\n${this.#output}`)),
      );
    });
  }
}
