import { get } from 'node:http';
import type { AgentOutput } from '@nestor/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HARBOR_ARTICLES } from '../../apps/support-desk/src/articles/harbor.articles.js';
import { parseRuntimeEnvironment } from '../../apps/runtime/src/runtime-environment.js';
import { startRuntime, type Runtime } from '../../apps/runtime/src/runtime.js';
import { ScriptedModel } from '../../apps/runtime/src/scripted-model/scripted-model.js';

interface SseEvent {
  readonly event: string;
  readonly id: string | undefined;
  readonly data: Readonly<Record<string, unknown>>;
}

interface Article {
  readonly id: string;
  readonly excerpt: string;
}

const SILENT = { log() {}, warn() {}, error() {} };
const MEBIBYTE = 1024 * 1024;
/** Each runtime has one of its own. */
const DATABASE_URL = 'sqlite::memory:';

describe('the runtime', () => {
  let runtime: Runtime;

  beforeAll(async () => {
    runtime = await startRuntime(parseRuntimeEnvironment({ PORT: '0', DATABASE_URL }), SILENT);
  });
  afterAll(() => runtime?.app.close());

  function post(path: string, body: string, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(runtime.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
  }

  async function run(input: string, options: object = {}): Promise<AgentOutput> {
    const response = await post('/agents/customerSupport/runs', JSON.stringify({ input, ...options }));
    expect(response.status).toBe(200);
    return (await response.json()) as AgentOutput;
  }

  async function stream(input: string): Promise<readonly SseEvent[]> {
    const response = await post('/agents/customerSupport/runs', JSON.stringify({ input }), {
      accept: 'text/event-stream',
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    return eventsOf(await response.text());
  }

  describe('asked for something that an article answers', () => {
    it('answers with words of the article that the tool found', async () => {
      const output = await run('How do I reset my password?');
      const [found] = Object.values(output.toolResults) as [readonly Article[]];
      const article = HARBOR_ARTICLES.find(({ id }) => id === 'reset-password')!;

      expect(found[0]!.id).toBe(article.id);
      expect(article.body.replaceAll(/\s+/g, ' ')).toContain(found[0]!.excerpt);
      expect(output.content).toContain(found[0]!.excerpt);
      expect(output.content).toMatch(/Sources: .*\(reset-password\)$/);
    });

    it('gives the whole output: reasons, turns, tool results, conversation and checkpoint', async () => {
      const output = await run('Where are my invoices?');

      expect(output).toMatchObject({ finishReason: 'stop', exitReason: 'stop', turnsUsed: 2 });
      // Without the system prompt, which is not for clients.
      const roles = ['user', 'assistant', 'tool', 'assistant'];
      expect(output.messages.map(({ role }) => role)).toEqual(roles);
      const callId = output.messages[1]!.toolCalls![0]!.id;
      expect(Object.keys(output.toolResults)).toEqual([callId]);
      expect(output.checkpoint).toMatchObject({ turnCount: 2, toolResults: output.toolResults });
      expect(output.checkpoint.conversation.map(({ role }) => role)).toEqual(roles);
      expect(output.runId).toEqual(expect.stringMatching(/.+/));
    });

    it('streams tool events in order, tokens, and the output last', async () => {
      const events = await stream('How do I reset my password?');
      const names = events.map(({ event }) => event);
      expect(names.slice(0, 2)).toEqual(['tool_start', 'tool_end']);
      expect(new Set(names.slice(2, -1))).toEqual(new Set(['token']));
      expect(names.slice(2, -1).length).toBeGreaterThan(1);
      expect(names.at(-1)).toBe('done');

      const [start, end] = events.map(({ data }) => data);
      expect(start).toMatchObject({ toolName: 'searchKnowledgeBase', turnNumber: 1 });
      expect(end).toMatchObject({ toolName: 'searchKnowledgeBase', success: true, turnNumber: 1 });

      const tokens = events.filter(({ event }) => event === 'token').map(({ data }) => data['text']);
      expect(events.at(-1)!.data).toMatchObject({
        type: 'done',
        finalOutput: { content: tokens.join(''), finishReason: 'stop', exitReason: 'stop', turnsUsed: 2 },
      });
    });

    it('numbers the events of a stream upwards', async () => {
      const ids = (await stream('How do I export my data?')).map(({ id }) => Number(id));
      expect(ids.every(Number.isInteger)).toBe(true);
      expect(ids).toEqual(ids.toSorted((a, b) => a - b));
      expect(new Set(ids).size).toBe(ids.length);
    });
  });

  it('ends after one turn when a person is asked for', async () => {
    const output = await run('I want a human agent right now');
    expect(output).toMatchObject({ finishReason: 'tool_calls', exitReason: 'exit_condition', turnsUsed: 1 });
    expect(Object.values(output.toolResults)).toEqual([
      { queuePosition: expect.any(Number), ticket: expect.stringMatching(/^T-\d{4}$/) },
    ]);
    expect(output.messages.at(-1)!.role).toBe('tool');
  });

  it('opens tickets and looks customers up', async () => {
    const ticket = await run('Please open a ticket: the export is empty');
    expect(ticket.content).toMatch(/T-\d{4}/);
    const customer = await run('My email is ben@example.com');
    expect(customer.content).toMatch(/Ben Okafor.*Team.*locked/);
  });

  it('says that answers are scripted where the script knows none', async () => {
    const output = await run('What is the meaning of life?');
    expect(output).toMatchObject({ exitReason: 'stop', turnsUsed: 1, toolResults: {} });
    expect(output.content).toMatch(/scripted.*OPENAI_API_KEY/);
  });

  it('keeps a conversation by its session', async () => {
    await run('How do I reset my password?', { sessionId: 'e2e-conversation' });
    const output = await run('And where are my invoices?', { sessionId: 'e2e-conversation' });
    const questions = output.messages.filter(({ role }) => role === 'user').map(({ content }) => content);
    expect(questions).toEqual(['How do I reset my password?', 'And where are my invoices?']);
    expect(output.content).toMatch(/\(invoices\)$/);
  });

  describe('the support desk', () => {
    it('answers a question', async () => {
      const response = await post(
        '/support',
        JSON.stringify({ message: 'Can I get a refund?', session: 'e2e-desk' }),
      );
      expect([response.status, await response.json()]).toEqual([
        200,
        { answer: expect.stringMatching(/30 days[\s\S]*\(refunds\)$/), escalated: false },
      ]);
    });

    it('says that a person takes over', async () => {
      const response = await post('/support', JSON.stringify({ message: 'Let me talk to a human' }));
      expect(await response.json()).toEqual({ answer: expect.stringContaining('person'), escalated: true });
    });

    it('says that a person must approve a refund first', async () => {
      const response = await post('/support', '{"message":"Please refund invoice INV-1042"}');
      expect(await response.json()).toEqual({ answer: expect.stringContaining('approve'), escalated: true });
    });

    it('refuses a question without a message', async () => {
      const response = await post('/support', '{"session":"s"}');
      expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('message')]);
    });
  });

  it.each([
    ['an unknown agent', 404, '/agents/nobody/runs', '{"input":"Hello"}'],
    ['a body that is no JSON', 400, '/agents/customerSupport/runs', '{"input":'],
    ['a body without input', 400, '/agents/customerSupport/runs', '{}'],
    [
      'a body above 1 MiB',
      413,
      '/agents/customerSupport/runs',
      JSON.stringify({ input: 'x'.repeat(MEBIBYTE) }),
    ],
  ])('answers %s with a problem of status %i', async (_, status, path, body) => {
    const response = await post(path, body);
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(await response.json()).toMatchObject({ status, title: expect.stringMatching(/.+/) });
  });

  it('takes a body of nearly 1 MiB', async () => {
    const output = await run('x'.repeat(MEBIBYTE - 100));
    expect(output.exitReason).toBe('stop');
  });

  it('does not answer a page that reached it under another name', async () => {
    const { port } = new URL(runtime.url);
    const status = await statusWithHost(Number(port), 'evil.example');
    expect(status).toBe(403);
  });
});

it('asks the configured provider, and starts no scripted model then', async () => {
  const provider = await ScriptedModel.start();
  const environment = parseRuntimeEnvironment({
    PORT: '0',
    DATABASE_URL,
    OPENAI_BASE_URL: provider.baseUrl,
    LLM_MODEL: 'local',
  });
  const runtime = await startRuntime(environment, SILENT);
  try {
    expect(runtime.model).toEqual({
      llm: { model: 'local', baseUrl: provider.baseUrl },
      scripted: undefined,
    });
    const response = await fetch(`${runtime.url}/support`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"message":"Where are my invoices?"}',
    });
    expect(await response.json()).toMatchObject({ answer: expect.stringContaining('(invoices)') });
  } finally {
    await runtime.app.close();
    await provider.stop();
  }
});

describe('a runtime with a token', () => {
  it('asks for it on every route but /health', async () => {
    const runtime = await startRuntime(
      parseRuntimeEnvironment({ PORT: '0', DATABASE_URL, NESTOR_API_TOKEN: 'open-sesame' }),
      SILENT,
    );
    try {
      const run = (headers: Record<string, string>) =>
        fetch(`${runtime.url}/agents/customerSupport/runs`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: '{"input":"How do I reset my password?"}',
        });
      expect((await run({})).status).toBe(401);
      expect((await run({ authorization: 'Bearer wrong' })).status).toBe(401);
      const answer = (await (await run({ authorization: 'Bearer open-sesame' })).json()) as AgentOutput;
      expect(answer.content).toContain('(reset-password)');
      expect((await fetch(`${runtime.url}/health`)).status).toBe(200);
    } finally {
      await runtime.app.close();
    }
  });
});

it('stops serving, and its scripted model too, when it is closed', async () => {
  const runtime = await startRuntime(parseRuntimeEnvironment({ PORT: '0', DATABASE_URL }), SILENT);
  const model = runtime.model.scripted!.baseUrl;
  await runtime.app.close();
  await expect(fetch(runtime.url)).rejects.toThrow('fetch failed');
  await expect(fetch(model)).rejects.toThrow('fetch failed');
});

it('refuses a port in use with a sentence that names PORT', async () => {
  const first = await startRuntime(parseRuntimeEnvironment({ PORT: '0', DATABASE_URL }), SILENT);
  try {
    const { port } = new URL(first.url);
    await expect(startRuntime(parseRuntimeEnvironment({ PORT: port, DATABASE_URL }), SILENT)).rejects.toThrow(
      new RegExp(`^Port ${port} on 127.0.0.1 is in use .* PORT`),
    );
  } finally {
    await first.app.close();
  }
});

/** `fetch` does not let us set the Host header. */
function statusWithHost(port: number, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path: '/agents', headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).on('error', reject);
  });
}

function eventsOf(text: string): readonly SseEvent[] {
  return text
    .split('\n\n')
    .filter((block) => block.includes('data:'))
    .map((block) => {
      const field = (name: string) =>
        block
          .split('\n')
          .find((line) => line.startsWith(`${name}:`))
          ?.slice(name.length + 1)
          .trim();
      return {
        event: field('event') ?? 'message',
        id: field('id'),
        data: JSON.parse(field('data') ?? 'null') as SseEvent['data'],
      };
    });
}
