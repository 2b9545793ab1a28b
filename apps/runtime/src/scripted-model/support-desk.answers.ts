import { getTextContent, type ChatMessage } from '@copilotkit/aimock';

const ANSWERS: ReadonlyMap<string, (result: unknown) => string> = new Map([
  ['searchKnowledgeBase', answerFromArticles],
  ['createTicket', answerFromTicket],
  ['lookupCustomer', answerFromCustomer],
  ['escalateToHuman', answerFromEscalation],
  ['refundInvoice', answerFromRefund],
  ['listTickets', answerFromTickets],
]);

/** Puts the latest tool result of a conversation into words. */
export function answerFromToolResult(messages: readonly ChatMessage[]): string {
  const message = messages.findLast(({ role }) => role === 'tool');
  const tool = toolOf(messages, message?.tool_call_id);
  const text = getTextContent(message?.content ?? null) ?? '';
  const result = parse(text);
  const error = textOf(field(result, 'error'), 'message');
  if (error) return `The tool ${tool} could not do that: ${error}`;
  return ANSWERS.get(tool)?.(result) ?? `The tool ${tool} answered: ${text}`;
}

function toolOf(messages: readonly ChatMessage[], callId: string | undefined): string {
  const calls = messages.flatMap((message) => message.tool_calls ?? []);
  return calls.findLast(({ id }) => id === callId)?.function.name ?? 'called';
}

function answerFromArticles(result: unknown): string {
  const article: unknown = Array.isArray(result) ? result[0] : undefined;
  const [id, title, excerpt] = [textOf(article, 'id'), textOf(article, 'title'), textOf(article, 'excerpt')];
  if (!id) return 'I found no help article about this. I can open a ticket for you.';
  return `The help article "${title}" says: ${excerpt}\n\nSources: ${title} (${id})`;
}

function answerFromTicket(ticket: unknown): string {
  return `I have opened ticket ${textOf(ticket, 'id')}: "${textOf(ticket, 'subject')}". Our team will answer it by mail.`;
}

function answerFromCustomer(lookup: unknown): string {
  if (!field(lookup, 'found'))
    return `There is no Harbor account with the address ${textOf(lookup, 'email')}.`;
  const customer = field(lookup, 'customer');
  return (
    `I found your account, ${textOf(customer, 'name')}: it is on the ${textOf(customer, 'plan')} plan, ` +
    `its status is ${textOf(customer, 'status')}, and you are with us since ${textOf(customer, 'memberSince')}.`
  );
}

function answerFromEscalation(escalation: unknown): string {
  const [position, ticket] = [textOf(escalation, 'queuePosition'), textOf(escalation, 'ticket')];
  return `A person will take over. You are number ${position} in the queue, with ticket ${ticket}.`;
}

function answerFromRefund(refund: unknown): string {
  const invoice = textOf(refund, 'invoice');
  return field(refund, 'refunded')
    ? `Invoice ${invoice} is paid back to you; it takes some days until the money is there.`
    : `Invoice ${invoice} was paid back before.`;
}

function answerFromTickets(tickets: unknown): string {
  const all: readonly unknown[] = Array.isArray(tickets) ? tickets : [];
  const subjects = all.map((ticket) => `${textOf(ticket, 'id')} "${textOf(ticket, 'subject')}"`);
  return all.length === 0 ? 'No ticket is open.' : `Open tickets: ${all.length}. ${subjects.join(', ')}.`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined; // a result in plain words
  }
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

/** A field of a tool result as text; empty if there is none. */
function textOf(value: unknown, name: string): string {
  const found = field(value, name);
  return typeof found === 'string' ? found : (JSON.stringify(found) ?? '');
}
