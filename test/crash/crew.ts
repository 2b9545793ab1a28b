import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

/** Some three times what a call and its commit take. */
const LONGEST_DELAY_MS = 12;

/** The workers of one database; one that is gone is replaced. */
export class Crew {
  readonly #workers = new Set<ChildProcess>();
  readonly #command: readonly string[];
  readonly #size: number;
  #onCall: ((worker: ChildProcess) => void) | undefined;
  #errors = '';

  /** @param command the worker's file and arguments */
  constructor(size: number, command: readonly string[]) {
    this.#size = size;
    this.#command = command;
  }

  fill(): void {
    while (this.#workers.size < this.#size) this.#start();
  }

  /** Kills the worker that makes the n-th tool call from now on: during the call, or in one of the commits behind it. */
  async killAfter(calls: number): Promise<void> {
    const worker = await this.#callerOf(calls);
    await pause(Math.random() * LONGEST_DELAY_MS);
    worker.kill('SIGKILL');
    if (this.#workers.has(worker)) await once(worker, 'exit');
  }

  /** Stops the worker that makes the n-th tool call from now on, and gives the way to let it go on and end. */
  async pauseAfter(calls: number): Promise<() => Promise<void>> {
    const worker = await this.#callerOf(calls);
    worker.kill('SIGSTOP');
    this.#workers.delete(worker);
    return async () => {
      this.#workers.add(worker);
      worker.kill('SIGCONT');
      await this.#end(worker);
    };
  }

  /** Lets them end what there is. */
  async finish(): Promise<void> {
    await Promise.all([...this.#workers].map((worker) => this.#end(worker)));
  }

  /** For tests that failed; a paused worker must be let go before. */
  stop(): void {
    for (const worker of this.#workers) worker.kill('SIGKILL');
  }

  #start(): void {
    const worker = spawn(process.execPath, this.#command, {
      env: { PATH: process.env['PATH'] },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    worker.stdout.on('data', (text: Buffer) => text.forEach(() => this.#onCall?.(worker)));
    worker.stderr.setEncoding('utf8').on('data', (text: string) => (this.#errors += text));
    worker.once('exit', () => this.#workers.delete(worker));
    this.#workers.add(worker);
  }

  #callerOf(calls: number): Promise<ChildProcess> {
    return new Promise((resolve) => {
      let seen = 0;
      this.#onCall = (worker) => {
        if (++seen < calls || !this.#workers.has(worker)) return;
        this.#onCall = undefined;
        resolve(worker);
      };
    });
  }

  async #end(worker: ChildProcess): Promise<void> {
    const exit = once(worker, 'exit');
    worker.stdin?.end();
    const [code] = await exit;
    if (code !== 0) throw new Error(`A worker ended with ${String(code)}:\n${this.#errors}`);
  }
}
