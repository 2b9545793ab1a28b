import type { LlmMessage } from '../../messages/llm-message.js';

const GROWTH = 1.25;

/**
 * The messages of one conversation as bytes, `[m1,m2,…` without the bracket that closes them. Only what is new is
 * added: a conversation goes out again at every turn, and encoding all of it costs more than everything else.
 */
export class WireHistory {
  readonly #of: LlmMessage[] = [];
  #bytes: Buffer = Buffer.from('[');
  #length = 1;

  /** True if the messages go on from those held, so that they can be added to them. */
  precedes(messages: readonly LlmMessage[]): boolean {
    return (
      this.#of.length <= messages.length && this.#of.every((message, index) => message === messages[index])
    );
  }

  /**
   * Adds the messages behind those held.
   * @param json gives a message as JSON.
   */
  extend(messages: readonly LlmMessage[], json: (message: LlmMessage) => string): void {
    let added = '';
    for (const message of messages.slice(this.#of.length)) {
      added += this.#of.length === 0 ? json(message) : `,${json(message)}`;
      this.#of.push(message);
    }
    if (added !== '') this.#append(added);
  }

  /** A body of its own: what is held, between a head and a tail. */
  body(head: string, tail: string): Buffer {
    const headLength = Buffer.byteLength(head);
    const body = Buffer.allocUnsafe(headLength + this.#length + Buffer.byteLength(tail));
    body.write(head, 0);
    this.#bytes.copy(body, headLength, 0, this.#length);
    body.write(tail, headLength + this.#length);
    return body;
  }

  #append(text: string): void {
    const length = this.#length + Buffer.byteLength(text);
    if (length > this.#bytes.length) {
      const grown = Buffer.allocUnsafeSlow(Math.ceil(length * GROWTH));
      this.#bytes.copy(grown, 0, 0, this.#length);
      this.#bytes = grown;
    }
    this.#bytes.write(text, this.#length);
    this.#length = length;
  }
}
