import { execFileSync } from 'node:child_process';
import { rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { AgentBuilder, AgentToolOperator, OperatorRegistry, type AgentDef } from '@nestor/core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TemporaryFolder } from '../../../../test/support/temporary-folder.js';
import { AgentFileSet } from './agent-file-set.js';
import { AgentFileWatcher } from './agent-file.watcher.js';

const agent = (id: string, body = ''): string => `agent ${id} { model = "m" ${body} }\n`;
const caller = (id: string, callee: string): string => agent(id, `tool ask : ${callee} {}`);
const prompt = (text: string): string => `system_prompt = "${text}"`;

describe('AgentFileWatcher', () => {
  const folder = new TemporaryFolder();
  /** The agents that are served. */
  const served = new Map<string, AgentDef>();
  const said = { log: [] as string[], warn: [] as string[], error: [] as string[] };
  let watcher: AgentFileWatcher | undefined;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    served.clear();
    for (const level of ['log', 'warn', 'error'] as const) {
      said[level].length = 0;
      vi.spyOn(Logger.prototype, level).mockImplementation(
        (text: unknown) => void said[level].push(String(text)),
      );
    }
  });
  afterEach(() => {
    watcher?.stop();
    vi.useRealTimers();
  });

  const prompts = (): Record<string, unknown> =>
    Object.fromEntries([...served].map(([id, def]) => [id, def.systemPrompt ?? '']));
  const path = (name: string): string => join(folder.path, name);

  /** An application with the agents of these files, and one of its own. Gives what looks until it sees what there is. */
  async function startWith(files: Readonly<Record<string, string>>): Promise<() => Promise<void>> {
    for (const [name, source] of Object.entries(files)) await folder.write(name, source);
    const registry = new OperatorRegistry();
    const announce = (id: string): void => {
      if (registry.has(id)) return;
      registry.register(id, new AgentToolOperator(() => expect.unreachable(), `The agent "${id}".`));
    };
    const set = new AgentFileSet([path('*.agent')]);
    for (const id of ['coded', ...set.ids()]) announce(id);
    for (const id of set.ids()) served.set(id, AgentBuilder.create(id).model('m').build());
    const started = new AgentFileWatcher({
      registry,
      exists: (id) => id === 'coded' || served.has(id),
      announce,
      use: (def) => void served.set(def.id, def),
      drop: (id) => void served.delete(id),
    });
    watcher = started;
    started.add(set, set.read());
    return async () => {
      await started.look();
      await started.look();
    };
  }

  it('takes files that come together, in whatever order they name one another', async () => {
    const look = await startWith({ 'm.agent': agent('main') });
    await folder.write('a.agent', caller('caller', 'zed'));
    await folder.write('z.agent', agent('zed'));
    await look();
    expect([...served.keys()].toSorted()).toEqual(['caller', 'main', 'zed']);
    expect(said.error).toEqual([]);
    expect(said.log.map((line) => line.slice(folder.path.length))).toEqual([
      expect.stringContaining(
        'a.agent is taken over: new runs of caller follow it, and runs that wait when they go on.',
      ),
      expect.stringContaining('z.agent is taken over'),
    ]);
  });

  it('judges a file again when another one changes', async () => {
    const look = await startWith({ 'm.agent': agent('main') });
    await folder.write('a.agent', caller('caller', 'zed'));
    await look();
    await look();
    expect(served.has('caller')).toBe(false);
    expect(said.error).toEqual([expect.stringMatching(/a\.agent has errors[^]*"zed"/)]);
    await folder.write('m.agent', agent('main', prompt('new')));
    await look();
    expect(said.error).toHaveLength(1);
    await folder.write('z.agent', agent('zed'));
    await look();
    expect(served.has('caller')).toBe(true);
    expect(said.error).toHaveLength(1);
  });

  it('takes no agent that names one which fails itself', async () => {
    const look = await startWith({ 'm.agent': agent('main') });
    await folder.write('a.agent', caller('caller', 'zed') + agent('other'));
    await folder.write('z.agent', caller('zed', 'nobody'));
    await look();
    expect([...served.keys()]).toEqual(['main']);
    expect(said.error).toEqual([
      expect.stringMatching(/a\.agent has errors[^]*"zed"/),
      expect.stringMatching(/z\.agent has errors[^]*"nobody"/),
    ]);
  });

  it('waits until a file is written, and does not miss it for a moment', async () => {
    await startWith({ 'a.agent': agent('one') });
    await folder.write('a.agent', '');
    await watcher?.look();
    await folder.write('a.agent', agent('one', prompt('new')));
    await watcher?.look();
    expect(said).toEqual({ log: [], warn: [], error: [] });
    await watcher?.look();
    expect(prompts()).toEqual({ one: 'new' });
  });

  it('takes nothing once it is stopped, not even what a look under way finds', async () => {
    const look = await startWith({ 'a.agent': agent('one') });
    await folder.write('a.agent', agent('one', prompt('new')));
    await watcher?.look();
    const last = look();
    watcher?.stop();
    await last;
    expect(prompts()).toEqual({ one: '' });
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each([
    ['deleted', () => rm(path('a.agent'))],
    ['emptied', () => truncate(path('a.agent'))],
    ['of another type', () => rename(path('a.agent'), path('a.txt'))],
  ])('drops the agents of a file that is %s, and takes them back', async (_, change) => {
    const source = agent('one') + agent('two');
    const look = await startWith({ 'a.agent': source, 'b.agent': agent('three') });
    await change();
    await look();
    expect([...served.keys()]).toEqual(['three']);
    expect(said).toMatchObject({
      log: [],
      error: [],
      warn: ['one', 'two'].map((id) => expect.stringContaining(`Agent "${id}" is in no file any more`)),
    });
    await folder.write('a.agent', source);
    await look();
    expect([...served.keys()].toSorted()).toEqual(['one', 'three', 'two']);
  });

  it('follows an agent to another name and to another file', async () => {
    const look = await startWith({ 'a.agent': agent('one') });
    await folder.write('a.agent', agent('uno'));
    await look();
    expect([...served.keys()]).toEqual(['uno']);
    await rename(path('a.agent'), path('b.agent'));
    await look();
    expect([...served.keys()]).toEqual(['uno']);
    expect(said.warn).toHaveLength(1);
  });

  it('tells of agents that name one which is gone, and leaves them', async () => {
    const look = await startWith({ 'a.agent': caller('caller', 'zed'), 'z.agent': agent('zed') });
    await rm(path('z.agent'));
    await look();
    expect([...served.keys()]).toEqual(['caller']);
    expect(said.error).toEqual([expect.stringMatching(/a\.agent has errors[^]*"zed"/)]);
  });

  it('keeps the agent that two files have as it was, until one of them gives it up', async () => {
    const look = await startWith({ 'a.agent': agent('one') });
    await folder.write('b.agent', agent('one', prompt('b')) + agent('two'));
    await look();
    await folder.write('a.agent', agent('one', prompt('a')));
    await look();
    expect(prompts()).toEqual({ one: '', two: '' });
    const both = `${path('a.agent')} and ${path('b.agent')}`;
    expect(said.error).toEqual([
      `Agent "one" is defined twice, in ${both}. Give one of the two another id. Until then it stays as it was.`,
    ]);
    await rm(path('a.agent'));
    await look();
    expect(prompts()).toEqual({ one: 'b', two: '' });
  });

  it('does not take the place of an agent that is in no file', async () => {
    const look = await startWith({ 'a.agent': agent('one') });
    await folder.write('b.agent', agent('coded'));
    await look();
    expect([...served.keys()]).toEqual(['one']);
    expect(said.error).toEqual([
      expect.stringMatching(/^Agent "coded" is defined twice, in .*b\.agent and elsewhere\./),
    ]);
  });

  it.each([
    ['a link to a pipe', 'it is no regular file', linkToPipe],
    ['a link to a device', 'it is no regular file', () => symlink('/dev/zero', path('b.agent'))],
    ['a file of 6 MiB', 'it has 6291456 bytes', () => truncate(path('b.agent'), 6 * 2 ** 20)],
    ['no UTF-8', 'is not UTF-8 text', () => writeFile(path('b.agent'), Buffer.from([0xc3, 0x28]))],
  ])('reads the others beside %s, and keeps its agents', async (_, problem, spoil) => {
    const look = await startWith({
      'a.agent': agent('one'),
      'b.agent': agent('two'),
      'c.agent': agent('three'),
    });
    if (problem.includes('regular')) await rm(path('b.agent'));
    await spoil();
    await folder.write('c.agent', agent('three', prompt('new')));
    await look();
    await folder.write('a.agent', agent('one', prompt('new')));
    await look();
    expect(prompts()).toEqual({ one: 'new', two: '', three: 'new' });
    expect(said.warn).toEqual([]);
    expect(said.error).toEqual([expect.stringContaining(problem)]);
    expect(said.error[0]).toContain(path('b.agent'));
  });

  async function linkToPipe(): Promise<void> {
    execFileSync('mkfifo', [path('pipe')]);
    await symlink(path('pipe'), path('b.agent'));
  }
});
