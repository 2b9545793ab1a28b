import { quoted } from '../parsing/quoted.js';
import type { NameNode } from '../syntax-tree.js';
import type { Problems } from './problems.js';

/** Tells of names that are given more than once in one place. */
export class FirstNamed {
  readonly #first = new Map<string, NameNode>();
  readonly #code: string;
  readonly #what: string;

  /** @param what such as `The agent` */
  constructor(code: string, what: string) {
    this.#code = code;
    this.#what = what;
  }

  /** False, with an error, if the name was there before. */
  add(name: NameNode, problems: Problems): boolean {
    const first = this.#first.get(name.text);
    if (!first) {
      this.#first.set(name.text, name);
      return true;
    }
    problems.error(this.#code, name.span, `${this.#what} ${quoted(name.text)} is declared twice.`, {
      hint: 'remove one of them',
      related: [{ message: 'first declared here', span: first.span }],
    });
    return false;
  }
}
