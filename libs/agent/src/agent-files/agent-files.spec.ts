import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Injectable, Logger, type INestApplicationContext } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { AgentBuilder, ScriptedProvider, type AgentDef } from '@nestor/core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { AgentModule } from '../agent.module.js';
import { Agent } from '../agents/agent.js';
import { AgentLoopService } from '../agents/agent-loop.service.js';
import { AgentRegistry } from '../agents/agent.registry.js';
import { InjectAgent } from '../agents/inject-agent.decorator.js';
import { Operator } from '../operators/operator.decorator.js';

@Injectable()
class Kb {
  @Operator({ description: 'Searches', input: z.object({ query: z.string(), limit: z.number().optional() }) })
  search({ query, limit = 3 }: { query: string; limit?: number }): string {
    return `${limit} for ${query}`;
  }
}

@Injectable()
class Desk {
  constructor(@InjectAgent('support') readonly agent: Agent) {}
}

const SUPPORT = `agent support {
  model = "m"
  system_prompt = "First."
  tool find : search { input { query = tool_args.q } }
}
`;

/** Fake intervals go on meanwhile. */
const eventually = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, { timeout: 20_000 });

describe('agents in files', () => {
  let folder: string;
  let app: INestApplicationContext | undefined;
  const warned: string[] = [];
  const erred: string[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'nestor-agents-'));
    for (const [method, texts] of [
      ['warn', warned],
      ['error', erred],
    ] as const) {
      texts.length = 0;
      vi.spyOn(Logger.prototype, method).mockImplementation((text: unknown) => void texts.push(String(text)));
    }
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    vi.useRealTimers();
    await app?.close();
    app = undefined;
    await rm(folder, { recursive: true });
  });

  const save = (name: string, source: string) => writeFile(join(folder, name), source);

  async function start(
    options: {
      readonly watchAgents?: boolean;
      readonly pattern?: string;
      readonly agents?: readonly AgentDef[];
    } = {},
  ) {
    const { pattern = '*.agent', agents = [], ...rest } = options;
    const provider = new ScriptedProvider(({ messages }) =>
      messages.at(-1)?.role === 'tool'
        ? { text: `${messages[0]?.content} ${messages.at(-1)?.content}` }
        : { toolCalls: [{ name: 'find', arguments: { q: 'cats' }, id: 'c' }] },
    );
    const root = AgentModule.forRoot({
      agents: [join(folder, pattern), ...agents],
      llm: { provider },
      ...rest,
    });
    const testing = Test.createTestingModule({ imports: [root], providers: [Kb, Desk] });
    const module = await testing.compile();
    app = await module.init();
    return {
      app,
      ask: async () => (await module.get(AgentLoopService).run('support', 'Hi')).content,
      provider,
    };
  }

  it('are compiled at boot against the operators there are, and injected by their names', async () => {
    await save('support.agent', SUPPORT);
    await save('other.agent', 'agent other { model = "m" tool ask : support {} }');
    const { app: started, ask, provider } = await start();
    expect(started.get(AgentRegistry).names().toSorted()).toEqual(['other', 'support']);
    expect(await ask()).toBe('First. 3 for cats');
    expect((await started.get(Desk).agent.run('Hi')).exitReason).toBe('stop');
    expect(provider.requests[0]?.tools).toMatchObject([
      { name: 'find', description: 'Searches', parameters: { properties: { q: { type: 'string' } } } },
    ]);
  });

  it('stop the boot with everything that is wrong, in all files', async () => {
    await save('a.agent', 'agent support { model = "m" max_turn = 3 tool t : serch {} }');
    await save('b.agent', 'agent b { }');
    const failed = await start().catch((error: unknown) => error as Error);
    expect(failed).toMatchObject({ code: 'invalid_agent_source' });
    const { message } = failed as Error;
    expect(message).toContain('a.agent:1:29');
    expect(message).toContain('max_turns');
    expect(message).toContain('did you mean "search"');
    expect(message).toContain('b.agent:1:7');
  });

  it('stop it also if they are none of the language, and so have no names to inject', async () => {
    await save('a.agent', 'agnet support { model = "m" }');
    await save('b.agent', 'agent b { }');
    await expect(start()).rejects.toMatchObject({
      code: 'invalid_agent_source',
      message: expect.stringMatching(/a\.agent:1:1 [^]*b\.agent:1:7/),
    });
  });

  it('stop the boot if a pattern finds none', async () => {
    await expect(start({ pattern: 'agnets/*.agent' })).rejects.toMatchObject({
      code: 'no_agent_files',
      message: expect.stringContaining('agnets/*.agent'),
    });
  });

  it('stop the boot if two have one name', async () => {
    await save('a.agent', SUPPORT);
    await save('b.agent', SUPPORT);
    await expect(start()).rejects.toThrow(/"support" is defined twice, in .*a\.agent and .*b\.agent\. /);
  });

  it('warn of what can never be true', async () => {
    await save('support.agent', SUPPORT.replace('}\n}', '}\n  exit_condition = tool_call("fnd")\n}'));
    await start();
    expect(warned.join('\n')).toMatch(/support\.agent:5:\d+ warning[^]*"fnd"/);
  });

  it('stop it if one is no file', async () => {
    await save('support.agent', SUPPORT);
    await symlink('/dev/zero', join(folder, 'endless.agent'));
    await expect(start()).rejects.toMatchObject({
      code: 'unreadable_agent_file',
      message: expect.stringMatching(/^Cannot read .*endless\.agent: it is no regular file\.$/),
    });
  });

  it('stop it if they cannot be read as text', async () => {
    await save('support.agent', SUPPORT);
    await writeFile(join(folder, 'latin.agent'), Buffer.from('agent caf\u00e9 {}', 'latin1'));
    await expect(start()).rejects.toMatchObject({
      code: 'unreadable_agent_file',
      message: expect.stringMatching(/latin\.agent is not UTF-8 text\. Save it as UTF-8\.$/),
    });
  });

  describe('that change', () => {
    beforeEach(async () => {
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
      await save('support.agent', SUPPORT);
    });

    it('are taken over for new runs', async () => {
      const { ask, app: started } = await start({ watchAgents: true });
      await save('support.agent', SUPPORT.replace('First', 'Second'));
      await save('new.agent', 'agent fresh { model = "m" tool ask : zed {} }');
      await save('zed.agent', 'agent zed { model = "m" }');
      await eventually(async () => expect(await ask()).toBe('Second. 3 for cats'));
      expect(started.get(AgentRegistry).names()).toEqual(expect.arrayContaining(['fresh', 'zed']));
      await app?.close();
      app = undefined;
      expect(vi.getTimerCount()).toBe(0);
    });

    it('stay as they were while their file has errors', async () => {
      const { ask } = await start({ watchAgents: true });
      await save('support.agent', SUPPORT.replace('model', 'modle'));
      await eventually(() => expect(erred).toHaveLength(1));
      expect(await ask()).toBe('First. 3 for cats');
      expect(erred[0]).toContain('support.agent:2:3');
      await save('support.agent', SUPPORT.replace('First', 'Third'));
      await eventually(async () => expect(await ask()).toBe('Third. 3 for cats'));
    });

    it('and are gone have no new runs, neither of their own nor as tools', async () => {
      await save(
        'other.agent',
        'agent other { model = "m" tool find : support { input { input = tool_args.q } } }',
      );
      const { app: started, ask } = await start({ watchAgents: true });
      await rm(join(folder, 'support.agent'));
      await eventually(() => expect(erred.join()).toMatch(/other\.agent has errors[^]*"support"/));
      await expect(ask()).rejects.toMatchObject({ code: 'unknown_agent' });
      // It stays as it was, and answers without the one that is gone.
      const { content } = await started.get(AgentLoopService).run('other', 'Hi');
      expect(content).toContain('There is no agent \\"support\\" any more.');
      await save('back.agent', SUPPORT);
      await eventually(async () => expect(await ask()).toBe('First. 3 for cats'));
    });

    it('cannot take the name of an agent that is in no file', async () => {
      const { app: started } = await start({
        watchAgents: true,
        agents: [AgentBuilder.create('coded').model('m').systemPrompt('Code.').build()],
      });
      await save('coded.agent', 'agent coded { model = "m" }');
      await eventually(() => expect(erred).toHaveLength(1));
      expect(erred[0]).toMatch(/^Agent "coded" is defined twice, in .*coded\.agent and elsewhere\./);
      expect(started.get(AgentRegistry).get('coded').def.systemPrompt).toBe('Code.');
    });

    it('are left alone where nobody watches', async () => {
      await start({ watchAgents: false });
      expect(vi.getTimerCount()).toBe(0);
    });
  });
});
