import { Inject, Injectable, Logger } from '@nestjs/common';
import { RunStores } from '../storage/run-stores.js';
import { AgentRegistry } from './agent.registry.js';
import { RunRecovery } from './run-recovery.js';

/** How often runs are looked for that nobody works on, in ms. */
const LOOK_MS = 2_000;
/** Runs that this process goes on with at once. */
const MOST_AT_ONCE = 10;

/** Takes over runs that nobody works on: those whose process is gone, and those whose last decision came elsewhere. */
@Injectable()
export class RunReconciler {
  readonly #logger = new Logger('Agent');
  readonly #underWay = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  /** True if there may be something new since the look under way began. */
  #wanted = false;
  /** True since a look failed, until one succeeds. */
  #failing = false;

  constructor(
    @Inject(RunStores) private readonly stores: Pick<RunStores, 'durable'>,
    @Inject(RunRecovery) private readonly recovery: Pick<RunRecovery, 'goOn'>,
    @Inject(AgentRegistry) private readonly agents: Pick<AgentRegistry, 'names'>,
  ) {}

  /** Looks at once, and then again and again. Does nothing where runs are not durable. */
  start(): void {
    if (!this.stores.durable) return;
    this.#timer = setInterval(() => this.wake(), LOOK_MS);
    this.#timer.unref();
    this.wake();
  }

  /** Looks now, or once more when the look under way is over. Does nothing unless started. */
  wake(): void {
    if (!this.#timer) return;
    this.#wanted = true;
    // One look at a time; a look never rejects.
    this.#looking ??= this.#lookOn().finally(() => (this.#looking = undefined));
  }

  /** Looks for no more runs. Those under way belong to `ActiveRuns`. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    await this.#looking;
  }

  async #lookOn(): Promise<void> {
    while (this.#wanted && this.#timer) {
      this.#wanted = false;
      await this.look();
    }
  }

  /** Takes over what can be taken over now. */
  async look(): Promise<void> {
    try {
      while (this.#underWay.size < MOST_AT_ONCE) {
        const recovered = await this.stores.durable?.claimNext(this.agents.names());
        this.#failing = false;
        if (!recovered) return;
        const run = this.recovery.goOn(recovered).finally(() => {
          this.#underWay.delete(run);
          this.wake(); // there is room for another
        });
        this.#underWay.add(run);
      }
    } catch (error) {
      // The database may be away; the next look is soon, and says nothing new.
      if (this.#failing) return;
      this.#failing = true;
      this.#logger.warn(
        `Runs could not be looked for: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
}
