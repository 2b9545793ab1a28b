import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ScriptedModel } from './scripted-model.js';
import { SUPPORT_TOPICS } from './support-desk.topics.js';

interface Message {
  readonly role: string;
  readonly content: string | null;
  readonly tool_calls?: readonly { id: string; function: { name: string; arguments: string } }[];
  readonly tool_call_id?: string;
}

const TOOLS = ['searchKnowledgeBase', 'createTicket', 'lookupCustomer', 'escalateToHuman', 'refundInvoice'];

describe('ScriptedModel', () => {
  let model: ScriptedModel;
  beforeAll(async () => {
    model = await ScriptedModel.start();
  });
  afterAll(() => model.stop());

  function post(messages: readonly Message[], options: { stream?: boolean; tools?: readonly string[] } = {}) {
    const { stream = false, tools = TOOLS } = options;
    return fetch(`${model.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'scripted',
        messages,
        stream,
        tools: tools.map((name) => ({ type: 'function', function: { name, parameters: {} } })),
      }),
    });
  }

  async function answer(messages: readonly Message[], tools = TOOLS) {
    const response = await post(messages, { tools });
    const body = (await response.json()) as { choices: { message: Message; finish_reason: string }[] };
    return body.choices[0]!;
  }

  const user = (content: string): Message => ({ role: 'user', content });

  async function callFor(question: string) {
    const { message, finish_reason } = await answer([user(question)]);
    expect(finish_reason).toBe('tool_calls');
    expect(message.tool_calls).toHaveLength(1);
    const call = message.tool_calls![0]!;
    return { name: call.function.name, args: JSON.parse(call.function.arguments) as unknown };
  }

  async function answerTo(question: string, result: unknown): Promise<string> {
    const { message } = await answer([user(question)]);
    const tool: Message = {
      role: 'tool',
      content: JSON.stringify(result),
      tool_call_id: message.tool_calls![0]!.id,
    };
    const final = await answer([user(question), message, tool]);
    expect(final.finish_reason).toBe('stop');
    return final.message.content!;
  }

  it.each([
    ['How do I reset my password?', 'reset password'],
    ['HOW DO I RESET MY PASSWORD?', 'reset password'],
    ['How do I turn on two-factor authentication?', 'two-factor authentication'],
    ['My account is locked', 'unlock locked account'],
    ['Where can I find my invoices?', 'download invoices'],
    ['Can I get a refund?', 'refund money back'],
    ['How do I upgrade my plan?', 'upgrade plan'],
    ['How do I export my data?', 'export data'],
    ['How do I delete my account?', 'delete account'],
    ['How do I invite a colleague?', 'send invite'],
    ['How do I create an API key?', 'API keys'],
    ['Can I import a CSV file?', 'import CSV file'],
    ['Where do you store our data?', 'privacy data stored'],
  ])('searches the help articles for "%s"', async (question, query) => {
    expect(await callFor(question)).toEqual({ name: 'searchKnowledgeBase', args: { query } });
  });

  it('makes the answer from the article that the tool found, and ends with the source', async () => {
    const found = [
      { id: 'reset-password', title: 'Reset your password', excerpt: 'The blue lever resets it.', score: 3 },
      { id: 'other', title: 'Other', excerpt: 'Not this.', score: 1 },
    ];
    const text = await answerTo('How do I reset my password?', found);
    expect(text).toContain('The blue lever resets it.');
    expect(text).toMatch(/Sources: Reset your password \(reset-password\)$/);
    expect(text).not.toContain('Not this.');
  });

  it('says so when no article was found, and when the tool failed', async () => {
    expect(await answerTo('My password', [])).toMatch(/no help article/);
    const error = { error: { code: 'failed', message: 'The index is gone' } };
    expect(await answerTo('My password', error)).toMatch(/searchKnowledgeBase.*The index is gone/);
  });

  it.each([
    'I want a human agent right now',
    'Let me speak to someone',
    'Is there a real person? My password fails',
  ])('escalates "%s"', async (question) => {
    expect(await callFor(question)).toEqual({ name: 'escalateToHuman', args: { reason: question } });
  });

  it('opens a ticket and tells its number', async () => {
    const question = 'Please open a ticket: exports are empty. I am ada@example.com.';
    expect(await callFor(question)).toEqual({
      name: 'createTicket',
      args: { subject: question, description: question, email: 'ada@example.com' },
    });
    expect(await answerTo(question, { id: 'T-1001', subject: 'Exports', status: 'open' })).toContain(
      'T-1001',
    );
  });

  it('refunds an invoice that is named, and only then', async () => {
    const question = 'Please refund invoice inv-1042, I was charged twice';
    expect(await callFor(question)).toEqual({
      name: 'refundInvoice',
      args: { invoice: 'INV-1042', reason: question },
    });
    expect(await answerTo(question, { invoice: 'INV-1042', refunded: true })).toMatch(
      /INV-1042 is paid back/,
    );
    expect(await answerTo(question, { invoice: 'INV-1042', refunded: false })).toMatch(/paid back before/);
    expect((await callFor('Can I get a refund?')).name).toBe('searchKnowledgeBase');
  });

  it('looks a customer up by mail address and tells what was found', async () => {
    const question = 'My email is ben@example.com.';
    expect(await callFor(question)).toEqual({ name: 'lookupCustomer', args: { email: 'ben@example.com' } });
    const customer = { name: 'Ben Okafor', plan: 'Team', status: 'locked', memberSince: '2024-07-01' };
    expect(await answerTo(question, { found: true, customer })).toMatch(/Ben Okafor.*Team.*locked/);
    expect(await answerTo(question, { found: false, email: 'ben@example.com' })).toMatch(/no Harbor account/);
  });

  it('says to any other question that it is a script, and how to get a model', async () => {
    const { message, finish_reason } = await answer([user('What is the meaning of life?')]);
    expect(finish_reason).toBe('stop');
    expect(message.content).toMatch(/scripted.*OPENAI_API_KEY.*LLM_MODEL/);
  });

  it.each(['open a ', 'refund ', 'api ', 'delete ', 'where ', 'a@', 'x'])(
    'answers a long message of "%s" at once',
    async (words) => {
      const { finish_reason } = await answer([user(words.repeat(500_000 / words.length))]);
      expect(finish_reason).toMatch(/^(stop|tool_calls)$/);
    },
    5_000,
  );

  it('calls no tool that the request does not offer', async () => {
    const { message } = await answer([user('How do I reset my password?')], []);
    expect([message.tool_calls, message.content]).toEqual([undefined, expect.stringMatching(/scripted/)]);
  });

  it('answers a second question of one conversation afresh', async () => {
    const first = await answer([user('My password')]);
    const tool: Message = {
      role: 'tool',
      content: '[]',
      tool_call_id: first.message.tool_calls![0]!.id,
    };
    const { message } = await answer([user('My password'), first.message, tool, user('And my invoices?')]);
    expect(message.tool_calls?.[0]?.function.arguments).toContain('invoices');
  });

  it('streams an answer in several pieces', async () => {
    const response = await post([user('Hello?')], { stream: true });
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const events = (await response.text()).split('\n\n').filter((event) => event.startsWith('data: {'));
    const pieces = events.map((event) => {
      const { choices } = JSON.parse(event.slice(6)) as { choices: { delta: { content?: string } }[] };
      return choices[0]?.delta.content ?? '';
    });
    expect(pieces.filter(Boolean).length).toBeGreaterThan(5);
    expect(pieces.join('')).toMatch(/^The answers here are scripted.*start it again\.$/);
  });

  it('has a topic for each pattern once', () => {
    expect(new Set(SUPPORT_TOPICS.map(({ query }) => query)).size).toBe(SUPPORT_TOPICS.length);
  });

  it('stops listening, and may be stopped twice', async () => {
    const other = await ScriptedModel.start();
    await other.stop();
    await other.stop();
    await expect(fetch(other.baseUrl)).rejects.toThrow('fetch failed');
  });
});
