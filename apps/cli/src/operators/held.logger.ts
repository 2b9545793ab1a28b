import { format } from 'node:util';
import type { LoggerService } from '@nestjs/common';

/** Keeps what is logged until somebody wants to see it. */
export class HeldLogger implements LoggerService {
  #text = '';

  /** A line for each message, without stacks. */
  get text(): string {
    return this.#text;
  }

  /** @param details Nest puts the context last */
  log(message: unknown, ...details: unknown[]): void {
    const context = details.at(-1);
    this.#text += `${typeof context === 'string' ? `[${context}] ` : ''}${format(message)}\n`;
  }

  warn(message: unknown, ...details: unknown[]): void {
    this.log(message, ...details);
  }

  error(message: unknown, ...details: unknown[]): void {
    this.log(message, ...details);
  }

  fatal(message: unknown, ...details: unknown[]): void {
    this.log(message, ...details);
  }
}
