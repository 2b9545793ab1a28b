import type { AgentCheckpoint, AgentOutput } from '@nestor/core';
import type { AgentLoopService } from './agent-loop.service.js';
import type { AgentRunOptions } from './agent-run-options.js';
import type { AgentRunStream } from './agent-run-stream.js';

/** One agent by itself, as `@InjectAgent()` gives it. */
export class Agent {
  readonly name: string;
  readonly #service: AgentLoopService;

  constructor(name: string, service: AgentLoopService) {
    this.name = name;
    this.#service = service;
  }

  /** As `AgentLoopService.run`. */
  run(input: unknown, options?: AgentRunOptions): Promise<AgentOutput> {
    return this.#service.run(this.name, input, options);
  }

  /** As `AgentLoopService.stream`. */
  stream(input: unknown, options?: AgentRunOptions): AgentRunStream {
    return this.#service.stream(this.name, input, options);
  }

  /** As `AgentLoopService.resume`. */
  resume(
    checkpoint: AgentCheckpoint,
    options?: AgentRunOptions & { readonly input?: unknown },
  ): Promise<AgentOutput> {
    return this.#service.resume(this.name, checkpoint, options);
  }
}
