import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { Test } from '@nestjs/testing';
import { AgentLoopService, LLM_PROVIDER } from '@nestor/agent';
import { AgentBuilder, LlmStreamingChatOperator, OperatorRegistry, ScriptedProvider } from '@nestor/core';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { askOnce, streamOnce } from './core.example.js';
import { AppModule as HttpModule, useProblems } from './http.example.js';
import { AppModule, KnowledgeBase } from './root.example.js';
import { moreRules, ordersAlone } from './testing-module.example.js';
// Their tests run as part of this file.
import './orders.spec.example.js';
import './testing.example.js';

const root = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');
/**
 * Indentation and blank lines may differ: a snippet may stand inside a function here. Files of an application are
 * examples in one folder here, so relative imports count by the file's name.
 */
const lines = (text: string): string =>
  text
    .replaceAll(/ from '\.[^']*?([\w.-]+?)(?:\.example)?\.js'/g, " from '$1'")
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .join('\n');

/** As GitHub and npm make them of headings. */
const anchorsOf = (page: URL): string[] =>
  [...readFileSync(page, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  );

describe('the pages', () => {
  const list = (folder: string): string[] =>
    readdirSync(new URL(folder, root)).map((name) => `${folder}/${name}`);
  const wanted = [
    'README.md',
    'libs/agent/TESTING.md',
    'libs/agent/MIGRATION.md',
    ...[...list('libs'), ...list('apps')].map((project) => `${project}/README.md`),
  ];
  const pages = wanted.filter((path) => existsSync(new URL(path, root)));
  const examples = list('test/readme')
    .filter((path) => path.endsWith('.example.ts'))
    .map((path) => lines(read(path)));
  const snippets = pages.flatMap((path) =>
    [...read(path).matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = ''], index) => ({
      path,
      index,
      code,
    })),
  );

  it.each(snippets)('run what they show: $path, snippet $index', ({ code }) => {
    const statements = lines(code).split('\n');
    expect(examples.some((example) => example.includes(statements.join('\n')))).toBe(true);
  });

  it.each(pages)('link only to what exists: %s', (path) => {
    const page = new URL(path, root);
    const links = [...read(path).matchAll(/\]\((?!https?:)([^)]+)\)/g)].map(([, link = '']) => link);
    const broken = links.filter((link) => {
      const [file = '', anchor] = link.split('#');
      const target = file === '' ? page : new URL(file, page);
      return !existsSync(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor));
    });
    expect(broken).toEqual([]);
  });

  it('are there for every library and application', () => {
    expect(wanted.filter((path) => !pages.includes(path))).toEqual([]);
  });
});

describe('what they show', () => {
  let close = async (): Promise<void> => {};
  afterEach(() => close());

  it('the root: a service becomes a tool', async () => {
    const provider = new ScriptedProvider([
      { toolCalls: [{ name: 'search', arguments: { query: 'Invoices' } }] },
      { text: 'Under Settings, Billing.' },
    ]);
    const module = await Test.createTestingModule({ imports: [AppModule] })
      .overrideProvider(LLM_PROVIDER)
      .useValue(provider)
      .compile();
    const app = await module.init();
    close = () => app.close();
    const output = await app.get(AgentLoopService).run('support', 'Where is my invoice?', { sessionId: '1' });
    expect(output.content).toBe('Under Settings, Billing.');
    expect(Object.values(output.toolResults)).toEqual([app.get(KnowledgeBase).search({ query: 'Invoices' })]);
  });

  it('core: the loop without a framework', async () => {
    const output = await askOnce(
      new ScriptedProvider([
        { toolCalls: [{ name: 'escalateToHuman', arguments: {} }], finishReason: 'tool_calls' },
      ]),
    );
    expect(output).toMatchObject({ exitReason: 'exit_condition', finishReason: 'tool_calls', turnsUsed: 1 });
  });

  it('core: streaming', async () => {
    const written: unknown[] = [];
    const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(text) > 0);
    const registry = OperatorRegistry.builder()
      .register(
        'llmStreamingChat',
        new LlmStreamingChatOperator(new ScriptedProvider([{ tokens: ['Hel', 'lo'] }])),
      )
      .build();
    await streamOnce(AgentBuilder.create('a').model('m').toStreamingOperator('a', registry));
    write.mockRestore();
    expect(written).toEqual(['Hel', 'lo']);
  });

  it('testing: the agents of one module, without the application', async () => {
    const model = moreRules();
    const module = await ordersAlone(model);
    close = () => module.close();
    const agents = module.get(AgentLoopService);
    const { content } = await agents.run('orders', 'Compare A-17 and B-2');
    expect(content).toMatch(/^They are: .*A-17.*, .*B-2/);
    await expect(agents.run('orders', 'x'.repeat(200))).rejects.toMatchObject({ code: 'llm_unavailable' });
  });

  it('http: routes beside the application’s own', async () => {
    const module = await Test.createTestingModule({ imports: [HttpModule] })
      .overrideProvider(LLM_PROVIDER)
      .useValue(new ScriptedProvider([{ text: 'Hello.' }]))
      .compile();
    const app = module.createNestApplication();
    useProblems(app);
    await app.listen(0, '127.0.0.1');
    close = () => app.close();
    const answer = await fetch(`${await app.getUrl()}/agents/support/runs`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"input":"Hi"}',
    });
    expect(await answer.json()).toMatchObject({ content: 'Hello.', exitReason: 'stop' });
  });
});
