import { connect, type Socket } from 'node:net';
import { ActiveRuns, RunStores, type AgentModuleExtras, type AgentModuleOptions } from '@nestor/agent';
import { AgentBuilder } from '@nestor/core';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { startHttpAgents, type HttpAgents } from '../../../../test/support/http-agents.js';
import { streamingModel, tokenChunk, type StreamingModel } from '../../../../test/support/streaming-model.js';

let served: HttpAgents;
afterEach(async () => {
  vi.useRealTimers();
  await served.close();
});

async function serve(
  { provider }: StreamingModel,
  options: AgentModuleOptions & AgentModuleExtras = {},
): Promise<HttpAgents> {
  return (served = await startHttpAgents({
    agents: [AgentBuilder.create('desk').model('m')],
    provider,
    options,
  }));
}

describe('a client that does not read', () => {
  /** Takes the head of the answer and no more. */
  async function stall(url: string): Promise<Socket> {
    const { hostname, port } = new URL(url);
    const body = '{"input":"Hi"}';
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {}); // the server may cut it
    socket.write(
      `POST /agents/desk/runs HTTP/1.1\r\nhost: x\r\naccept: text/event-stream\r\n` +
        `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
    await new Promise((resolve) => socket.once('data', resolve));
    socket.pause();
    return socket;
  }

  /** A model that streams much, or until it is told to end. */
  function flood(): StreamingModel & { readonly sent: () => number; readonly end: () => void } {
    let sent = 0;
    let limit = 2_000;
    const model = streamingModel(async function* () {
      while (sent < limit) {
        sent += 1;
        yield tokenChunk('x'.repeat(64 * 1024));
      }
      yield {
        type: 'finish',
        response: { message: { role: 'assistant', content: 'Much.' }, finishReason: 'stop' },
      };
    });
    return { ...model, sent: () => sent, end: () => (limit = 0) };
  }

  /** Resolves when nothing more is sent: what the kernel takes, it takes at once. */
  async function heldUp(sent: () => number): Promise<void> {
    let before = 0;
    for (let turns = 0; before === 0 || turns < 2_000; turns++) {
      if (sent() !== before) turns = 0;
      before = sent();
      await new Promise(setImmediate);
    }
  }

  it('slows the model down, and aborts it by going away', async () => {
    const model = flood();
    const { url } = await serve(model);
    const socket = await stall(url);
    socket.destroy();
    await model.ended;
    expect(model.sent()).toBeLessThan(500);
  });

  /** The thirty seconds for which a client is waited for, but for a moment. */
  async function almostThirtySeconds(model: ReturnType<typeof flood>): Promise<void> {
    await heldUp(model.sent);
    const held = model.sent();
    vi.advanceTimersByTime(29_999);
    await heldUp(model.sent);
    expect(model.sent()).toBe(held);
  }

  it('is cut off after thirty seconds, and its run with it', async () => {
    const model = flood();
    const { url, app } = await serve(model);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const socket = await stall(url);
    await almostThirtySeconds(model);
    expect(app.get(ActiveRuns).size).toBe(1);
    vi.advanceTimersByTime(1);
    vi.useRealTimers();
    await model.ended;
    const { runs } = app.get(RunStores);
    await vi.waitFor(async () => expect(await runs.list()).toMatchObject([{ status: 'aborted' }]));
    expect(model.sent()).toBeLessThan(500);
    socket.destroy();
  });

  it('is cut off after thirty seconds, and its durable run goes on', async () => {
    const model = flood();
    const { url, app } = await serve(model, {
      durability: 'run',
      caller: { serialize: () => ({}), restore: () => ({}) },
    });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const socket = await stall(url);
    await almostThirtySeconds(model);
    const held = model.sent();
    vi.advanceTimersByTime(1);
    vi.useRealTimers();
    await vi.waitFor(() => expect(model.sent()).toBeGreaterThan(held));
    model.end();
    await model.ended;
    const { runs } = app.get(RunStores);
    await vi.waitFor(async () => {
      expect(await runs.list()).toMatchObject([
        { status: 'completed', outcome: { output: { content: 'Much.' } } },
      ]);
    });
    socket.destroy();
  });
});
