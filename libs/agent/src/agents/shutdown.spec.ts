import type { Server } from 'node:http';
import { Controller, Module, Query, Sse, type MessageEvent } from '@nestjs/common';
import {
  AgentAbortedException,
  AgentBuilder,
  type AgentExecutionListener,
  type LlmRequest,
  type LoopExitedPayload,
  type ScriptedStep,
} from '@nestor/core';
import type { Observable } from 'rxjs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { calls, deferred } from '../../../../test/support/scripted-agent.js';
import { PLATFORMS, startToolApp } from '../../../../test/support/tool-app.js';
import { AgentModule } from '../agent.module.js';
import { AgentListener } from '../listeners/agent-listener.decorator.js';
import { Operator } from '../operators/operator.decorator.js';
import { ShuttingDownException } from './active-runs.js';
import { AgentLoopService } from './agent-loop.service.js';

afterEach(() => void vi.useRealTimers());

/** A model that answers a question when it is told to, or never; it says when it has been asked. */
function patientModel(): {
  readonly script: (request: LlmRequest) => Promise<ScriptedStep> | ScriptedStep;
  readonly asked: (question: string) => Promise<void>;
  readonly answer: (question: string) => void;
} {
  const questions = new Map<
    string,
    { asked: ReturnType<typeof deferred<void>>; answer: ReturnType<typeof deferred<ScriptedStep>> }
  >();
  const of = (question: string) => {
    const known = questions.get(question) ?? { asked: deferred<void>(), answer: deferred<ScriptedStep>() };
    questions.set(question, known);
    return known;
  };
  return {
    script: ({ messages, signal }) => {
      const question = String(messages.find(({ role }) => role === 'user')?.content);
      if (messages.length === 1 && question === 'tool first') return calls(['note', { text: 'noted' }]);
      const { asked, answer } = of(question);
      asked.resolve();
      signal?.addEventListener('abort', () => answer.reject(signal.reason));
      return answer.promise;
    },
    asked: (question) => of(question).asked.promise,
    answer: (question) => of(question).answer.resolve({ text: `answer to ${question}` }),
  };
}

class Notes {
  @Operator()
  note({ text }: { readonly text: string }): string {
    return text;
  }
}

describe('B146: a shutdown', () => {
  it('refuses new runs, lets those under way end for the grace, then aborts them with a checkpoint', async () => {
    const exits: string[] = [];
    @AgentListener()
    class Journal implements Partial<AgentExecutionListener> {
      async onAgentLoopExited({ exitReason }: LoopExitedPayload): Promise<void> {
        // As one that writes to a database.
        await Promise.resolve();
        exits.push(exitReason);
      }
    }
    const model = patientModel();
    const app = await startToolApp(
      { providers: [Notes, Journal] },
      { script: model.script, options: { shutdownGraceMs: 3_000 } },
    );
    const close = vi.fn(async () => {
      exits.push('provider closed');
    });
    Object.assign(app.provider, { close });
    const runs = ['quick', 'slow', 'tool first'].map((question) => app.agents.run('tester', question));
    const outcomes = runs.map((run) =>
      run.then(
        ({ content }) => content,
        (error: unknown) => error,
      ),
    );
    await Promise.all(['quick', 'slow', 'tool first'].map(model.asked));
    vi.useFakeTimers();
    const closed = app.close();
    await vi.advanceTimersByTimeAsync(0);

    await expect(app.agents.run('tester', 'late')).rejects.toThrow(ShuttingDownException);
    expect(() => app.agents.stream('tester', 'late')).toThrow(ShuttingDownException);
    model.answer('quick');
    expect(await outcomes[0]).toBe('answer to quick');
    await vi.advanceTimersByTimeAsync(2_999);
    expect(exits).toEqual(['stop']);
    await vi.advanceTimersByTimeAsync(1);
    await closed;

    for (const outcome of [await outcomes[1], await outcomes[2]]) {
      expect(outcome).toBeInstanceOf(AgentAbortedException);
      expect((outcome as AgentAbortedException).cause).toBeInstanceOf(ShuttingDownException);
    }
    const { checkpoint } = (await outcomes[2]) as AgentAbortedException;
    expect(checkpoint?.conversation.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
    expect(exits).toEqual(['stop', 'aborted', 'aborted', 'provider closed']);
    expect(close).toHaveBeenCalledTimes(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('waits for nothing when nothing runs', async () => {
    const app = await startToolApp({}, { options: { shutdownGraceMs: 600_000 } });
    await app.close();
    await expect(app.agents.run('tester', 'late')).rejects.toThrow('The application is shutting down');
  });

  it('ends as soon as the last run has ended', async () => {
    const model = patientModel();
    const app = await startToolApp({}, { script: model.script, options: { shutdownGraceMs: 600_000 } });
    const run = app.agents.run('tester', 'quick');
    await model.asked('quick');
    const closed = app.close();
    model.answer('quick');
    await closed;
    expect((await run).content).toBe('answer to quick');
  });
});

@Controller()
class StreamController {
  constructor(private readonly agents: AgentLoopService) {}

  @Sse('ask')
  ask(@Query('question') question: string): Observable<MessageEvent> {
    return this.agents.stream('streamer', question).toObservable();
  }
}

@Module({
  imports: [
    AgentModule.forFeature({
      agents: [AgentBuilder.create('streamer').model('m').tools('all')],
      operators: [Notes],
    }),
  ],
  controllers: [StreamController],
})
class StreamModule {}

describe.each(PLATFORMS)('an @Sse() route on %s', (platform) => {
  async function serve(script: ReturnType<typeof patientModel>['script'], shutdownGraceMs = 0) {
    const app = await startToolApp(
      { imports: [StreamModule] },
      { platform, script, options: { shutdownGraceMs } },
    );
    await app.app.listen(0, '127.0.0.1');
    const url = await app.app.getUrl();
    return {
      ...app,
      /** The client would keep connections for its next request. */
      disconnect: () => (app.app.getHttpServer() as Server).closeAllConnections(),
      ask: (question: string, init: RequestInit = {}) =>
        fetch(`${url}/ask?question=${encodeURIComponent(question)}`, init),
    };
  }

  it('sends the chunks as events of their type', async () => {
    const app = await serve(({ messages }) =>
      messages.length === 1 ? calls(['note', { text: 'noted' }]) : { text: 'two words' },
    );
    const text = await (await app.ask('hello')).text();
    await app.close();

    expect(text.match(/^event: .*$/gm)).toEqual([
      'event: tool_start',
      'event: tool_end',
      'event: token',
      'event: token',
      'event: done',
    ]);
    expect(text).toContain('"content":"two words"');
  });

  it('B146: ends with an error event when the application shuts down', async () => {
    const model = patientModel();
    const app = await serve(model.script);
    const response = app.ask('slow');
    await model.asked('slow');
    const closed = app.close();
    const text = await (await response).text();
    app.disconnect();
    await closed;

    expect(text).toMatch(/event: error\n/);
    expect(text).not.toContain('event: done');
  });

  it('aborts the run when the client leaves, though the model is silent', async () => {
    const asked = deferred();
    const aborted = deferred<unknown>();
    const app = await serve(({ signal }) => {
      asked.resolve();
      return new Promise((_, reject) => {
        signal!.addEventListener('abort', () => {
          aborted.resolve(signal!.reason);
          reject(signal!.reason as Error);
        });
      });
    }, 600_000);
    const client = new AbortController();
    const response = app.ask('slow', { signal: client.signal }).catch(() => {});
    await asked.promise;
    client.abort();
    await response;

    expect(await aborted.promise).toBeInstanceOf(Error);
    app.disconnect();
    await app.close();
  });
});
