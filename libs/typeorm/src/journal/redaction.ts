import type { AgentLogger } from '@nestor/core';
import { errorMessage } from '../database/error-message.js';
import { CUT, cutTexts } from './cut-texts.js';
import type { JournalEventType, JournalPayload } from './journal-event.js';
import { isCardNumber, isSecretName, REDACTED, redactPatterns } from './secret-patterns.js';

export interface RedactionOptions {
  /** More names of fields whose values are secrets, e.g. `['iban']`; case and separators do not matter. */
  readonly names?: readonly string[];
  /** More patterns of secrets; every place that matches is taken out. */
  readonly patterns?: readonly RegExp[];
  /**
   * Called with what is left after the built-in rules; what it gives is kept. If it throws, nothing of the payload
   * is kept; if it gives nothing, all of it.
   */
  readonly hook?: (payload: JournalPayload, type: JournalEventType) => JournalPayload | undefined;
  /** Characters kept of each text, >= 1; the head and the tail. Default 4,000. */
  readonly maxTextLength?: number;
}

const DEFAULT_TEXT_LENGTH = 4_000;
/** Texts are looked through this many times further than they are kept: a secret may begin before the cut. */
const LOOK_AHEAD = 8;
const DEEPEST = 32;

/** Takes secrets out of payloads, then cuts long texts. */
export class Redactor {
  readonly #names: ReadonlySet<string>;
  readonly #patterns: readonly RegExp[];
  readonly #hook: RedactionOptions['hook'];
  readonly #maxTextLength: number;
  readonly #logger: AgentLogger;
  #failed = false;

  constructor(options: RedactionOptions, logger: AgentLogger) {
    this.#patterns = (options.patterns ?? []).map(
      ({ source, flags }) => new RegExp(source, `${flags.replace(/[gy]/g, '')}g`),
    );
    this.#hook = options.hook;
    this.#names = new Set(options.names?.map(plainName));
    this.#maxTextLength = options.maxTextLength ?? DEFAULT_TEXT_LENGTH;
    this.#logger = logger;
  }

  /** The payload as JSON. Never throws. */
  redact(payload: JournalPayload, type: JournalEventType): string {
    try {
      const redacted = Object.fromEntries(
        Object.entries(payload).map(([name, value]) => [name, this.#field(name, value, 0)]),
      );
      return JSON.stringify(cutTexts(this.#hook?.(redacted, type) ?? redacted, this.#maxTextLength));
    } catch (error) {
      // A hook that threw, or gave what JSON cannot hold. Once: it will do so at every event.
      if (!this.#failed)
        this.#logger.warn(`The journal keeps no payloads: redaction failed: ${errorMessage(error)}`);
      this.#failed = true;
      return '{"redaction":"failed"}';
    }
  }

  #field(name: string, value: unknown, depth: number): unknown {
    const secret = isSecretName(name, value) || this.#names.has(plainName(name));
    return secret && value !== null && value !== undefined ? REDACTED : this.#value(value, depth);
  }

  #value(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return this.#text(value, depth);
    if (typeof value === 'number') return value > 1e12 && isCardNumber(String(value)) ? REDACTED : value;
    if (typeof value === 'bigint') return String(value);
    if (typeof value !== 'object' || value === null) return value;
    if (depth >= DEEPEST) return '[too deep]';
    if (Array.isArray(value)) return value.map((item) => this.#value(item, depth + 1));
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [
        redactPatterns(name, this.#patterns),
        this.#field(name, item, depth + 1),
      ]),
    );
  }

  #text(text: string, depth: number): string {
    const kept = text.length > this.#maxTextLength * LOOK_AHEAD ? this.#ends(text) : text;
    // Arguments are JSON: there the names of fields tell what the values are.
    return redactPatterns(this.#json(kept, depth), this.#patterns);
  }

  /** Of a very long text what can be kept, and what stands around that. */
  #ends(text: string): string {
    const half = (this.#maxTextLength * LOOK_AHEAD) / 2;
    return text.slice(0, half) + CUT + text.slice(-half);
  }

  /** The same text unless there was a secret in it: numbers and spelling stay as they were sent. */
  #json(text: string, depth: number): string {
    if (depth >= DEEPEST || !/^\s*[[{]/.test(text)) return text;
    try {
      const value: unknown = JSON.parse(text);
      const before = JSON.stringify(value);
      const after = JSON.stringify(this.#value(value, depth + 1));
      return before === after ? text : after;
    } catch {
      return text;
    }
  }
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}
