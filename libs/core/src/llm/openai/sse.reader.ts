import { LlmException } from '../../errors/llm.exception.js';

export interface SseReaderOptions {
  /** Most bytes of one event's data lines, and of any one line. Default: 8 MiB. */
  readonly maxEventBytes?: number;
}

const DEFAULT_MAX_EVENT_BYTES = 8 * 1024 * 1024;
const LF = 10;
const CR = 13;
const SPACE = 32;
const COLON = 58;
const BYTE_ORDER_MARK = 0xfeff;
/** No UTF-16 unit takes more bytes than this in UTF-8. */
const MAX_BYTES_PER_UNIT = 3;

/**
 * Cuts the bytes of one `text/event-stream` response into events, as the HTML standard describes it: lines end
 * with LF, CRLF or CR, data lines are joined with LF, comments and unknown fields are dropped, and so are events
 * without data. Packets may be cut anywhere.
 *
 * Bytes are held back until their line has ended and are then decoded in one go: neither LF nor CR occurs inside
 * a UTF-8 sequence, so no character is ever cut and no byte is looked at twice, however small the packets are.
 */
export class SseReader {
  readonly #onEvent: (data: string, event: string | undefined) => void;
  readonly #maxEventBytes: number;
  /** The bytes of the line that has not ended yet. */
  #held = Buffer.alloc(0);
  #heldLength = 0;
  #started = false;
  #afterCr = false;
  #data: string | undefined;
  #dataBytes = 0;
  #event: string | undefined;

  /**
   * @param onEvent is called with the data and the name (if it has one) of each event, before `push` returns.
   * What it throws leaves `push` or `end`; the reader is not to be used after that.
   */
  constructor(
    onEvent: (data: string, event: string | undefined) => void,
    { maxEventBytes = DEFAULT_MAX_EVENT_BYTES }: SseReaderOptions = {},
  ) {
    this.#onEvent = onEvent;
    this.#maxEventBytes = maxEventBytes;
  }

  /** @throws LlmException `incomplete_stream`, not retryable, when an event is larger than `maxEventBytes`. */
  push(bytes: Uint8Array): void {
    const end = afterLastLineEnd(bytes);
    if (end > 0) this.#readLines(this.#decodeUpTo(bytes, end));
    if (end < bytes.length) {
      this.#hold(end === 0 ? bytes : bytes.subarray(end));
      if (this.#heldLength + this.#dataBytes > this.#maxEventBytes) throw this.#tooLarge();
    }
  }

  /**
   * The body has ended. An event that lacks its closing blank line is delivered if it has data: the standard
   * drops it, but servers that forget the last line ends do exist, and what they sent is the end of the answer.
   */
  end(): void {
    if (this.#heldLength > 0) this.#readLines(`${this.#takeHeld()}\n`);
    this.#dispatch();
  }

  /** The held bytes and the packet's first `end` bytes as text. */
  #decodeUpTo(bytes: Uint8Array, end: number): string {
    if (this.#heldLength === 0) return decode(bytes, end);
    this.#hold(end === bytes.length ? bytes : bytes.subarray(0, end));
    return this.#takeHeld();
  }

  #hold(bytes: Uint8Array): void {
    const length = this.#heldLength + bytes.length;
    if (length > this.#held.length) {
      const larger = Buffer.allocUnsafe(Math.max(length * 2, 512));
      larger.set(this.#held.subarray(0, this.#heldLength));
      this.#held = larger;
    }
    this.#held.set(bytes, this.#heldLength);
    this.#heldLength = length;
  }

  #takeHeld(): string {
    const text = decode(this.#held, this.#heldLength);
    this.#heldLength = 0;
    return text;
  }

  /** @param text whole lines, the last one with its line end. */
  #readLines(text: string): void {
    const { length } = text;
    let position = this.#skipAtStart(text);
    // Both are kept until they are passed: looking for a CR anew at every line would read the text once per line.
    let lf = find(text, '\n', position);
    let cr = find(text, '\r', position);
    while (position < length) {
      if (lf < cr) {
        position = this.#readEvent(text, position, lf);
        lf = find(text, '\n', position);
      } else {
        this.#readLine(text, position, cr);
        position = cr + 1;
        if (lf === position) lf = find(text, '\n', ++position);
        cr = find(text, '\r', position);
      }
    }
    this.#afterCr = text.charCodeAt(length - 1) === CR;
  }

  #skipAtStart(text: string): number {
    const first = text.charCodeAt(0);
    const skips = this.#started ? this.#afterCr && first === LF : first === BYTE_ORDER_MARK;
    this.#started = true;
    return skips ? 1 : 0;
  }

  /** Reads one line that ends with LF, or a whole event if that line is all of it; returns where the next begins. */
  #readEvent(text: string, start: number, lf: number): number {
    if (text.charCodeAt(lf + 1) === LF && this.#data === undefined && this.#event === undefined) {
      const data = fieldValue(text, 'data', start, lf);
      if (data !== undefined) {
        this.#checkSize(text, start, lf);
        this.#onEvent(data, undefined);
        return lf + 2;
      }
    }
    this.#readLine(text, start, lf);
    return lf + 1;
  }

  #readLine(text: string, start: number, end: number): void {
    if (start === end) {
      this.#dispatch();
      return;
    }
    this.#checkSize(text, start, end);
    const data = fieldValue(text, 'data', start, end);
    if (data === undefined) {
      this.#event = fieldValue(text, 'event', start, end) ?? this.#event;
      return;
    }
    this.#data = this.#data === undefined ? data : `${this.#data}\n${data}`;
    this.#dataBytes += Buffer.byteLength(data);
  }

  #dispatch(): void {
    const data = this.#data;
    const event = this.#event === '' ? undefined : this.#event;
    this.#data = undefined;
    this.#dataBytes = 0;
    this.#event = undefined;
    if (data !== undefined) this.#onEvent(data, event);
  }

  #checkSize(text: string, start: number, end: number): void {
    const room = this.#maxEventBytes - this.#dataBytes;
    if ((end - start) * MAX_BYTES_PER_UNIT <= room) return;
    if (Buffer.byteLength(text.slice(start, end)) > room) throw this.#tooLarge();
  }

  #tooLarge(): LlmException {
    return new LlmException(
      `The model server sent a stream event of more than ${this.#maxEventBytes} bytes. ` +
        'Raise maxEventBytes if the server really sends events that large.',
      { kind: 'incomplete_stream', retryable: false },
    );
  }
}

function afterLastLineEnd(bytes: Uint8Array): number {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] !== LF && bytes[end - 1] !== CR) end--;
  return end;
}

function decode(bytes: Uint8Array, end: number): string {
  const buffer = bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, end);
  return buffer.toString('utf8', 0, end);
}

function find(text: string, lineEnd: string, from: number): number {
  const found = text.indexOf(lineEnd, from);
  return found === -1 ? text.length : found;
}

/** What follows the colon of a line with this field name, without the one space that may stand there. */
function fieldValue(text: string, name: string, start: number, end: number): string | undefined {
  if (!text.startsWith(name, start)) return undefined;
  let from = start + name.length;
  if (from === end) return '';
  if (text.charCodeAt(from) !== COLON) return undefined;
  if (text.charCodeAt(++from) === SPACE) from++;
  return text.slice(from, end);
}
