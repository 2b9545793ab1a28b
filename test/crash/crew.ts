import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';

/** Some three times what a call and its commit take. */
const LONGEST_DELAY_MS = 12;

/** What `crash.worker.ts` is given, as JSON. */
export interface CrashWorkerOptions {
  readonly url: string;
  readonly effectsFile: string;
  readonly leaseMs: number;
  /** Default: that of the run store. */
  readonly maxAttempts?: number;
}

/** The workers of one database; one that is gone is replaced. */
export class Crew {
  readonly #workers = new Set<ChildProcess>();
  readonly #command: readonly string[];
  readonly #size: number;
  #onCall: ((worker: ChildProcess) => void) | undefined;
  #killed = 0;
  #errors = '';

  /** @param file of the built worker */
  constructor(size: number, file: string, options: CrashWorkerOptions) {
    this.#size = size;
    this.#command = [file, JSON.stringify(options)];
  }

  /** How many did not end by themselves. */
  get killed(): number {
    return this.#killed;
  }

  /** Resolves when all look for runs. */
  async fill(): Promise<void> {
    const missing = Array.from({ length: this.#size - this.#workers.size }, () => this.#start());
    await Promise.all(missing);
  }

  /** Resolves when so many calls more are made. */
  async calls(count: number): Promise<void> {
    await this.#callerOf(count);
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

  /** Lets them end what there is, with others in place of those that die of it. */
  async finishReplacing(): Promise<void> {
    const killed = this.#killed;
    await this.fill();
    for (const worker of this.#workers) worker.stdin?.end();
    await Promise.race([...this.#workers].map((worker) => once(worker, 'exit')));
    if (this.#killed > killed) return this.finishReplacing();
    await this.finish();
  }

  /** For tests that failed; a paused worker must be let go before. */
  stop(): void {
    for (const worker of this.#workers) worker.kill('SIGKILL');
  }

  /** Resolves when it looks for runs; one that dies before that is none of this method's business. */
  async #start(): Promise<void> {
    const worker = spawn(process.execPath, this.#command, {
      env: { PATH: process.env['PATH'] },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    worker.stderr.setEncoding('utf8').on('data', (text: string) => (this.#errors += text));
    const exit = once(worker, 'exit');
    worker.once('exit', (_code, signal) => {
      this.#workers.delete(worker);
      if (signal) this.#killed += 1;
    });
    this.#workers.add(worker);
    await Promise.race([this.#listen(worker.stdout, worker), exit]);
  }

  /** Each byte is a call, but for the first, which says that the worker looks for runs. Resolves with that. */
  #listen(stdout: Readable, worker: ChildProcess): Promise<void> {
    return new Promise((resolve) => {
      let looks = false;
      stdout.on('data', (text: Buffer) => {
        for (let byte = 0; byte < text.length; byte++) {
          if (looks) this.#onCall?.(worker);
          looks = true;
        }
        resolve();
      });
    });
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
