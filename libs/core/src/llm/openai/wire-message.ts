import type { ContentPart } from '../../messages/content-part.js';
import type { LlmMessage } from '../../messages/llm-message.js';
import { wellFormed } from '../../messages/well-formed.js';
import { WireHistory } from './wire-history.js';

type Json = Readonly<Record<string, unknown>>;

/**
 * Messages as JSON for the wire. Each is serialised once and kept by identity, because the whole conversation goes
 * out again at every turn.
 */
export class WireMessages {
  readonly #reasoning: boolean;
  readonly #mergeSystem: boolean;
  readonly #json = new WeakMap<LlmMessage, string>();
  readonly #merged = new WeakMap<LlmMessage, Merged>();
  readonly #histories = new WeakMap<readonly LlmMessage[], WireHistory>();

  constructor(options: { readonly reasoningContent: boolean; readonly mergeSystem: boolean }) {
    this.#reasoning = options.reasoningContent;
    this.#mergeSystem = options.mergeSystem;
  }

  /** A request body: a head, the messages as a JSON array, and a tail. */
  body(head: string, messages: readonly LlmMessage[], tail: string): Buffer {
    const sent = this.#withoutManySystems(messages);
    // Kept by the list: a memory that shows everything gives the same, growing list at each turn.
    const known = this.#histories.get(messages);
    const history = known?.precedes(sent) ? known : new WireHistory();
    if (history !== known) this.#histories.set(messages, history);
    history.extend(sent, (message) => this.#messageJson(message));
    return history.body(head, tail);
  }

  #withoutManySystems(messages: readonly LlmMessage[]): readonly LlmMessage[] {
    const systems = this.#mergeSystem ? leadingSystems(messages) : 0;
    return systems > 1 ? [this.#merge(messages, systems), ...messages.slice(systems)] : messages;
  }

  #messageJson(message: LlmMessage): string {
    let json = this.#json.get(message);
    if (json === undefined) {
      json = JSON.stringify(wireMessage(message, this.#reasoning));
      this.#json.set(message, json);
    }
    return json;
  }

  /** One message for all leading ones; the same object as long as they are the same. */
  #merge(messages: readonly LlmMessage[], count: number): LlmMessage {
    const first = messages[0] as LlmMessage; // count > 1
    const known = this.#merged.get(first);
    if (known?.of.length === count && known.of.every((part, index) => part === messages[index])) {
      return known.message;
    }
    const of = messages.slice(0, count);
    const texts = of.map(({ content }) => content ?? '').filter((text) => text !== '');
    const message: LlmMessage = { role: 'system', content: texts.join('\n\n') };
    this.#merged.set(first, { of, message });
    return message;
  }
}

interface Merged {
  readonly of: readonly LlmMessage[];
  readonly message: LlmMessage;
}

function leadingSystems(messages: readonly LlmMessage[]): number {
  let count = 0;
  while (messages[count]?.role === 'system') count++;
  return count;
}

function wireMessage(message: LlmMessage, reasoning: boolean): Json {
  const { role } = message;
  const content = wellFormed(message.content ?? '');
  if (role === 'tool') return { role, tool_call_id: wellFormed(message.toolCallId ?? ''), content };
  if (role === 'assistant') return assistantMessage(message, content, reasoning);
  if (!message.parts?.length) return { role, content };
  return { role, content: message.parts.map(wirePart) };
}

/** `content` is null only where there are calls and no text; some servers refuse null elsewhere, some "" there. */
function assistantMessage(message: LlmMessage, content: string, reasoning: boolean): Json {
  const calls = message.toolCalls ?? [];
  return {
    role: 'assistant',
    content: calls.length > 0 && content === '' ? null : content,
    ...(reasoning && message.reasoning && { reasoning_content: wellFormed(message.reasoning) }),
    ...(calls.length > 0 && {
      tool_calls: calls.map((call) => ({
        id: wellFormed(call.id),
        type: 'function',
        function: { name: call.name, arguments: wellFormed(call.arguments) },
      })),
    }),
  };
}

function wirePart(part: ContentPart): Json {
  if (part.type === 'text') return { type: 'text', text: wellFormed(part.text) };
  const { url, detail } = part;
  return { type: 'image_url', image_url: { url: wellFormed(url), ...(detail && { detail }) } };
}
