import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { ShuttingDownException } from '@nestor/agent';
import { AgentException, onAbort } from '@nestor/core';
import { reportProblem } from '../problems/report-problem.js';
import { EventStream } from './event-stream.js';
import { clientSignal, takeOver, type PlatformResponse } from './http-exchange.js';

/** The clients that follow runs without being their caller: they may leave, and come again with `Last-Event-ID`. */
@Injectable()
export class RunFollowers implements OnModuleDestroy {
  readonly #shutdown = new AbortController();

  /** Before the runs end and the database is closed: an open stream would hold up the server's end. */
  onModuleDestroy(): void {
    this.#shutdown.abort(new ShuttingDownException());
  }

  /**
   * Streams to a client until `send` is done.
   * @param after the number of the last event that the client has
   * @param end aborts when the client has gone or the application stops; `send` is to end then
   * @throws ShuttingDownException before anything is sent
   */
  async follow(
    response: PlatformResponse,
    after: number,
    end: AbortController,
    send: (events: EventStream) => Promise<void>,
  ): Promise<void> {
    this.#shutdown.signal.throwIfAborted();
    const stops = [clientSignal(response), this.#shutdown.signal].map((signal) =>
      onAbort(signal, () => end.abort(signal.reason)),
    );
    const events = new EventStream(takeOver(response), after);
    try {
      await send(events);
    } catch (error) {
      // What a run failed with is its last event. Of any other error the client is to come again, with what it has.
      const isLast = error instanceof AgentException && error.runId !== undefined;
      await events.send('error', reportProblem(error), isLast ? undefined : null);
    } finally {
      events.close();
      for (const stop of stops) stop();
    }
  }
}
