import { Injectable } from '@nestjs/common';
import { Operator } from '@nestor/agent';
import { AgentBuilder, ScriptedProvider, type Script } from '@nestor/core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startHttpAgents, type HttpAgents } from '../../../../test/support/http-agents.js';
import { deferred } from '../../../../test/support/scripted-agent.js';
import { requestCallerCodec } from './request-caller.codec.js';

@Injectable()
class Desk {
  static gate = deferred<void>();

  @Operator({ description: 'Open a ticket' })
  async openTicket(): Promise<string> {
    await Desk.gate.promise;
    return 'T-1';
  }

  @Operator({ description: 'Pay', approval: true })
  pay(): string {
    return 'paid';
  }
}

const script: Script = ({ messages }) => {
  const last = messages.at(-1);
  if (last?.role === 'tool') return { text: `Done: ${last.content}` };
  if (last?.content === 'Fail') return { error: new Error('no model') };
  return { toolCalls: [{ name: last?.content === 'Pay' ? 'pay' : 'openTicket', arguments: {}, id: 'c' }] };
};

describe('a run that is followed', () => {
  let served: HttpAgents;
  beforeEach(async () => {
    Desk.gate = deferred();
    served = await startHttpAgents({
      agents: [AgentBuilder.create('desk').model('m').tools('all')],
      provider: new ScriptedProvider(script),
      providers: [Desk],
      options: { durability: 'run', caller: requestCallerCodec },
    });
  });
  afterEach(() => served.close());

  const start = async (input = 'Help'): Promise<string> => {
    const response = await fetch(`${served.url}/agents/desk/runs`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', prefer: 'respond-async' },
      body: JSON.stringify({ input }),
    });
    expect(response.status).toBe(202);
    return ((await response.json()) as { runId: string }).runId;
  };
  const follow = (runId: string, headers: Record<string, string> = {}, query = '') =>
    fetch(`${served.url}/runs/${runId}/stream${query}`, { headers });
  const idsAndNames = (text: string): string[] =>
    text
      .split('\n\n')
      .map((event) => /^id: ([\d.]+)\nevent: (\w+)$/m.exec(event))
      .flatMap((found) => (found ? [`${found[1]} ${found[2]}`] : []));

  it('has its id at once, and its chunks from any number on', async () => {
    const runId = await start();
    const following = follow(runId);
    Desk.gate.resolve();
    const text = await (await following).text();
    expect(idsAndNames(text)).toEqual(['1 tool_start', '2 tool_end', '3 token', '4 done']);
    expect(text).toContain('"content":"Done: T-1"');
    expect(idsAndNames(await (await follow(runId, { 'last-event-id': '2' })).text())).toEqual([
      '3 token',
      '4 done',
    ]);
    expect(idsAndNames(await (await follow(runId, {}, '?after=3')).text())).toEqual(['4 done']);
  });

  it('ends its stream with an error when the server stops, which is no number to go on from', async () => {
    const runId = await start();
    const reading = (await follow(runId)).text();
    const closing = served.app.close();
    const text = await reading;
    expect(text).toMatch(/^event: error$/m);
    expect(text).not.toMatch(/^id: \d+\nevent: error$/m);
    expect(text).toContain('"code":"shutting_down"');
    Desk.gate.resolve();
    await closing;
  });

  it('has no more for a client that has its end', async () => {
    const runId = await start();
    Desk.gate.resolve();
    await (await follow(runId)).text();
    for (const [headers, query] of [
      [{ 'last-event-id': '4' }, ''],
      [{}, '?after=4'],
      [{ 'last-event-id': '9' }, ''],
    ] as const) {
      const again = await follow(runId, headers, query);
      expect([again.status, await again.text()]).toEqual([204, '']);
    }
  });

  it('that fails has its error as its end', async () => {
    const runId = await start('Fail');
    expect(idsAndNames(await (await follow(runId)).text())).toEqual(['1 error']);
    expect((await follow(runId, { 'last-event-id': '1' })).status).toBe(204);
  });

  it('that was cancelled says so once', async () => {
    const runId = await start('Pay');
    await (await follow(runId)).text();
    await served.post(`/runs/${runId}/cancel`, {});
    const text = await (await follow(runId)).text();
    expect(text.match(/aborted/g)).toHaveLength(2); // its code, and once in its text
    expect(text).toContain('The run of agent \\"desk\\" was aborted: cancelled over HTTP.');
  });

  it('that waits for a person has no more until it goes on, and leaves nothing out then', async () => {
    const runId = await start('Pay');
    const waiting = await (await follow(runId)).text();
    expect(idsAndNames(waiting)).toEqual(['0.5 done']);
    expect(waiting).toContain('"exitReason":"suspended"');
    const seen = { 'last-event-id': '0.5' };
    expect((await follow(runId, seen)).status).toBe(204);
    await served.post(`/runs/${runId}/approvals/c`, { decision: 'approve' });
    const rest = await vi.waitUntil(async () => {
      const names = idsAndNames(await (await follow(runId, seen)).text());
      return names.length > 1 && names;
    });
    expect(rest).toEqual(['1 tool_start', '2 tool_end', '3 token', '4 done']);
  });

  it('that nobody knows is not found, and a wrong number is refused', async () => {
    expect((await follow('nobody')).status).toBe(404);
    expect((await follow('nobody', { 'last-event-id': 'x' })).status).toBe(400);
  });
});
