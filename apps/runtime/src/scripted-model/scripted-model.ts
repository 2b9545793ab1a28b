import type { OnApplicationShutdown } from '@nestjs/common';
import { LLMock } from '@copilotkit/aimock';
import { supportDeskFixtures } from './support-desk.fixtures.js';

/** A local server that speaks the OpenAI protocol and gives scripted answers, for trying Nestor without a model. */
export class ScriptedModel implements OnApplicationShutdown {
  #server: LLMock | undefined;
  /** To be used as `OPENAI_BASE_URL`. */
  readonly baseUrl: string;

  private constructor(server: LLMock) {
    this.#server = server;
    this.baseUrl = `${server.url}/v1`;
  }

  /** Listens on a free loopback port until `stop`. */
  static async start(): Promise<ScriptedModel> {
    const server = new LLMock({
      host: '127.0.0.1',
      port: 0,
      strict: true,
      logLevel: 'silent',
      journalMaxEntries: 1,
    });
    server.addFixtures(supportDeskFixtures());
    await server.start();
    return new ScriptedModel(server);
  }

  /** Waits for answers under way. May be called more than once. */
  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    await server?.stop();
  }

  onApplicationShutdown(): Promise<void> {
    return this.stop();
  }
}
