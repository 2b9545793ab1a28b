import { getTextContent, type ChatCompletionRequest, type Fixture } from '@copilotkit/aimock';
import { answerFromToolResult } from './support-desk.answers.js';
import { SUPPORT_TOPICS } from './support-desk.topics.js';

// Bounded everywhere: an open `.*` or `+` makes the time for a long message grow with the square of its length.
const ASKS_FOR_PERSON =
  /\bhuman\b|\b(real|live) (person|agent)\b|\b(speak|talk) (to|with) (a person|someone|somebody)\b/i;
const ASKS_FOR_TICKET = /\b(open|create|file|raise)\b.{0,80}\bticket\b/i;
const ASKS_ABOUT_TICKETS = /\btickets?\b/i;
const ASKS_FOR_REFUND = /\brefund\b.{0,80}\bINV-\d{4}\b/i;
const EMAIL = /(?<![^\s@<>,;:])[^\s@<>,;:]{1,64}@[^\s@<>,;]{0,200}[^\s@<>,;.?!]/;

const NOT_A_MODEL =
  'The answers here are scripted: no language model is configured, and the script knows nothing about this question. ' +
  'It can answer e.g. "How do I reset my password?", "Where are my invoices?" or "I want a human agent". ' +
  'For real answers stop Nestor, set OPENAI_API_KEY (or OPENAI_BASE_URL for another compatible server) and, if you ' +
  'like, LLM_MODEL, and start it again.';

/** What the scripted model answers: calls of the support desk's tools, then answers made from their results. */
export function supportDeskFixtures(): Fixture[] {
  return [
    {
      match: { hasToolResult: true },
      response: ({ messages }) => ({ content: answerFromToolResult(messages) }),
    },
    callsTool('listTickets', ASKS_ABOUT_TICKETS, () => ({})),
    callsTool('escalateToHuman', ASKS_FOR_PERSON, (message) => ({ reason: message })),
    callsTool('createTicket', ASKS_FOR_TICKET, ticketFrom),
    callsTool('refundInvoice', ASKS_FOR_REFUND, refundFrom),
    callsTool('lookupCustomer', EMAIL, (message) => ({ email: emailIn(message) })),
    ...SUPPORT_TOPICS.map(({ pattern, query }) =>
      callsTool('searchKnowledgeBase', pattern, () => ({ query })),
    ),
    { match: {}, response: { content: NOT_A_MODEL } },
  ];
}

/** Answers a question that fits the pattern with a call of the tool, if the request offers it. */
function callsTool(name: string, pattern: RegExp, argumentsFor: (message: string) => object): Fixture {
  return {
    match: { userMessage: pattern, toolName: name, hasToolResult: false },
    response: (request) => ({
      toolCalls: [{ name, arguments: JSON.stringify(argumentsFor(lastUserMessage(request))) }],
    }),
  };
}

function ticketFrom(message: string): object {
  const email = emailIn(message);
  return { subject: message.slice(0, 80), description: message, ...(email && { email }) };
}

function refundFrom(message: string): object {
  return { invoice: /\bINV-\d{4}\b/i.exec(message)?.[0].toUpperCase(), reason: message.slice(0, 1_000) };
}

function emailIn(message: string): string | undefined {
  return EMAIL.exec(message)?.[0];
}

function lastUserMessage({ messages }: ChatCompletionRequest): string {
  return getTextContent(messages.findLast(({ role }) => role === 'user')?.content ?? null) ?? '';
}
