import type { LlmMessage } from './llm-message.js';

/**
 * A growing conversation and where its groups begin. An assistant message with tool calls and the results after it
 * are one group; every other user or assistant message is a group of its own. A memory shows whole groups only, so
 * no request holds a call without its results or a result without its call.
 *
 * System messages belong to no group: they are always shown, at their place. A tool result that nothing precedes
 * belongs to none either and is never shown.
 */
export class MessageGroups {
  readonly #messages: LlmMessage[] = [];
  readonly #systems: LlmMessage[] = [];
  readonly #systemIndexes: number[] = [];
  /** How many system messages the conversation begins with. */
  #leadingSystems = 0;
  /** Index of the first message of each group. */
  readonly #starts: number[] = [];
  /** How many other than system messages come before each group. */
  readonly #before: number[] = [];
  #nonSystem = 0;
  #lastUserGroup = -1;

  constructor(initial: readonly LlmMessage[]) {
    for (const message of initial) this.append(message);
  }

  append(message: LlmMessage): void {
    if (message.role === 'system') this.#appendSystem(message);
    else this.#appendToGroup(message);
    this.#messages.push(message);
  }

  #appendSystem(message: LlmMessage): void {
    if (this.#messages.length === this.#leadingSystems) this.#leadingSystems++;
    this.#systems.push(message);
    this.#systemIndexes.push(this.#messages.length);
  }

  #appendToGroup(message: LlmMessage): void {
    if (message.role === 'user') this.#lastUserGroup = this.#starts.length;
    if (message.role !== 'tool') {
      this.#starts.push(this.#messages.length);
      this.#before.push(this.#nonSystem);
    }
    this.#nonSystem++;
  }

  /** Shows another message at this index from now on, of the same role. */
  replace(index: number, message: LlmMessage): void {
    this.#messages[index] = message;
  }

  get messages(): readonly LlmMessage[] {
    return this.#messages;
  }

  /** The group that everything since the last user message begins with; without a user message the last group. */
  get currentTurn(): number {
    return this.#lastUserGroup >= 0 ? this.#lastUserGroup : Math.max(0, this.#starts.length - 1);
  }

  /** Index of the first message of a group; the number of messages if there is no such group. */
  startOf(group: number): number {
    return this.#starts[group] ?? this.#messages.length;
  }

  /**
   * The first group, not before `from`, that begins a window of at most `size` other than system messages; the
   * current turn where even that is larger. Called with its own last answer it costs what was appended since.
   */
  windowStart(size: number, from: number): number {
    let group = from;
    while (group < this.currentTurn && this.#nonSystem - (this.#before[group] ?? 0) > size) group++;
    return group;
  }

  /** How many other than system messages stand in the groups from `from` up to, not including, `to`. */
  countBetween(from: number, to: number): number {
    return (this.#before[to] ?? this.#nonSystem) - (this.#before[from] ?? this.#nonSystem);
  }

  /** The messages of the groups from `from` up to, not including, `to`, without system messages. */
  between(from: number, to: number): readonly LlmMessage[] {
    const messages = this.#messages.slice(this.startOf(from), this.startOf(to));
    return messages.filter((message) => message.role !== 'system');
  }

  /** All system messages, and everything from a group on. `summary` is put after the leading system messages. */
  shownFrom(group: number, summary?: LlmMessage): readonly LlmMessage[] {
    const start = this.startOf(group);
    const shown = this.#systems.slice(0, this.#systemsBefore(start));
    if (summary) shown.splice(this.#leadingSystems, 0, summary);
    return shown.concat(this.#messages.slice(start));
  }

  #systemsBefore(index: number): number {
    let count = this.#systemIndexes.length;
    while ((this.#systemIndexes[count - 1] ?? -1) >= index) count--;
    return count;
  }
}
