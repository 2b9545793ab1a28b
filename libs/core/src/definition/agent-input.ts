import { AgentException } from '../errors/agent.exception.js';
import type { LlmMessage } from '../messages/llm-message.js';

const ROLES: ReadonlySet<unknown> = new Set(['system', 'user', 'assistant', 'tool']);

/** What a run starts from, in its normal form. */
export interface AgentInput {
  readonly messages: readonly LlmMessage[];
}

export const AgentInput = Object.freeze({
  /**
   * Takes a string (a user message), one message, a list of strings and messages, or an `AgentInput`; anything else
   * but null becomes a user message with its JSON.
   * @throws AgentException `invalid_input` for null, undefined, an empty list, or a message without a role.
   */
  from(value: unknown): AgentInput {
    if (isAgentInput(value)) return AgentInput.from(value.messages);
    const list = Array.isArray(value) ? value : [value];
    if (list.length === 0) throw invalid('an empty list');
    return { messages: list.map(toMessage) };
  },
});

function isAgentInput(value: unknown): value is AgentInput {
  return typeof value === 'object' && value !== null && 'messages' in value && Array.isArray(value.messages);
}

function toMessage(value: unknown): LlmMessage {
  if (typeof value === 'string') return { role: 'user', content: value };
  if (value === null || value === undefined) throw invalid(String(value));
  if (typeof value === 'object' && 'role' in value) return checkedMessage(value);
  return { role: 'user', content: JSON.stringify(value) ?? typeof value };
}

function checkedMessage(value: object & { readonly role: unknown }): LlmMessage {
  if (!ROLES.has(value.role)) throw invalid(`a message with role ${JSON.stringify(value.role)}`);
  const content = 'content' in value ? value.content : null;
  if (typeof content !== 'string' && content !== null && content !== undefined) {
    throw invalid(
      `a message whose content is ${Array.isArray(content) ? 'a list' : `of type ${typeof content}`}`,
    );
  }
  return { ...value, content: content ?? null } as LlmMessage; // role and content were checked above
}

function invalid(what: string): AgentException {
  return new AgentException(
    `The input of an agent must be a text, a message { role, content } or a list of them; got ${what}. ` +
      `Roles are system, user, assistant and tool; content is a string or null (use parts for images).`,
    { code: 'invalid_input' },
  );
}
