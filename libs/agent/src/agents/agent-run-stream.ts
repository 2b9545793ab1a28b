import { Observable, type Subscriber } from 'rxjs';
import { NodeChannel, type AgentOutput, type AgentStreamChunk } from '@nestor/core';

/** A chunk in the form of Nest's `MessageEvent`. */
export interface AgentRunEvent {
  readonly type: AgentStreamChunk['type'];
  readonly data: AgentStreamChunk;
}

/** A streaming run: iterate it for the chunks. Who stops iterating aborts the run. */
export class AgentRunStream implements AsyncIterable<AgentStreamChunk> {
  readonly runId: string;
  readonly #channel: NodeChannel<AgentStreamChunk>;

  /** @param start sends the run's chunks into the channel. */
  constructor(
    runId: string,
    capacity: number,
    start: (channel: NodeChannel<AgentStreamChunk>) => Promise<void>,
  ) {
    this.runId = runId;
    this.#channel = new NodeChannel(capacity);
    start(this.#channel).then(
      () => this.#channel.close(),
      (error: unknown) => this.#channel.fail(error),
    );
  }

  [Symbol.asyncIterator](): AsyncIterator<AgentStreamChunk, undefined> {
    return this.#channel;
  }

  /** The chunks for `@Sse()`: the event's type is the chunk's. Unsubscribing aborts the run. */
  toObservable(): Observable<AgentRunEvent> {
    return new Observable((subscriber) => {
      // Not `from(this)`: that notices the end of a subscription only when the next chunk comes.
      subscriber.add(() => void this.#channel.return());
      this.#deliver(subscriber).then(
        () => subscriber.complete(),
        (error: unknown) => subscriber.error(error),
      );
    });
  }

  async #deliver(subscriber: Subscriber<AgentRunEvent>): Promise<void> {
    for await (const chunk of this) subscriber.next({ type: chunk.type, data: chunk });
  }

  /** Reads the stream to its end and gives the output; for those who need no chunks. */
  async output(): Promise<AgentOutput> {
    for await (const chunk of this) if (chunk.type === 'done') return chunk.finalOutput;
    throw new Error(`The stream of run ${this.runId} was closed before its end.`);
  }
}
