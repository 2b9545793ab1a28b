import { Injectable } from '@nestjs/common';
import { Operator } from '@nestor/agent';
import { AgentBuilder, ScriptedProvider, type Script } from '@nestor/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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
}

const script: Script = ({ messages }) =>
  messages.at(-1)?.role === 'tool'
    ? { text: `Done: ${messages.at(-1)?.content}` }
    : { toolCalls: [{ name: 'openTicket', arguments: {}, id: 'c' }] };

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

  const start = async (): Promise<string> => {
    const response = await fetch(`${served.url}/agents/desk/runs`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', prefer: 'respond-async' },
      body: '{"input":"Help"}',
    });
    expect(response.status).toBe(202);
    return ((await response.json()) as { runId: string }).runId;
  };
  const follow = (runId: string, headers: Record<string, string> = {}, query = '') =>
    fetch(`${served.url}/runs/${runId}/stream${query}`, { headers });
  const idsAndNames = (text: string): string[] =>
    text
      .split('\n\n')
      .map((event) => /^id: (\d+)\nevent: (\w+)$/m.exec(event))
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

  it('ends its stream with an error when the server stops', async () => {
    const runId = await start();
    const response = await follow(runId);
    const reading = response.text();
    const closing = served.app.close();
    Desk.gate.resolve();
    expect(await reading).toMatch(/event: (error|done)/);
    await closing;
  });

  it('that nobody knows is not found, and a wrong number is refused', async () => {
    expect((await follow('nobody')).status).toBe(404);
    expect((await follow('nobody', { 'last-event-id': 'x' })).status).toBe(400);
  });
});
