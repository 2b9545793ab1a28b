import { describe, expect, it } from 'vitest';
import { endOfTurn } from '../../../../test/support/provider-server.js';
import { scriptedAgent } from '../../../../test/support/scripted-agent.js';
import { NodeChannel } from '../channel/node.channel.js';
import { OperatorContext } from '../operators/operator.context.js';
import type { AgentStreamChunk } from './agent-stream-chunk.js';

describe('a stream whose consumer is slow', () => {
  it('ends when it is aborted while done waits for room', async () => {
    const controller = new AbortController();
    const { streaming } = scriptedAgent({ script: [{ tokens: ['a'] }] });
    const channel = new NodeChannel<AgentStreamChunk>(2);
    const running = streaming.execute('go', channel, OperatorContext.root({ signal: controller.signal }));
    await endOfTurn();
    controller.abort();
    await running;
    expect((await channel.next()).value?.type).toBe('token');
    expect((await channel.next()).value?.type).toBe('done');
  });
});
