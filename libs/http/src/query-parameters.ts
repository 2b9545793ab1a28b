import { BadRequestException } from '@nestjs/common';
import { didYouMean } from '@nestor/core';

/** The parameters of a query string, checked. Every method throws BadRequestException naming the parameter and what it must be. */
export class QueryParameters {
  readonly #query: Readonly<Record<string, unknown>>;

  /** @param known every parameter there is: a misspelt filter would otherwise give everything. */
  constructor(query: Readonly<Record<string, unknown>>, known: readonly string[]) {
    const unknown = Object.keys(query).find((name) => !known.includes(name));
    if (unknown !== undefined) {
      throw new BadRequestException(
        `There is no parameter "${unknown.slice(0, 50)}".${didYouMean(unknown, known)} Parameters are ${known.join(', ')}.`,
      );
    }
    this.#query = query;
  }

  /** Undefined if it is not there, or set to nothing. */
  text(name: string): string | undefined {
    const value = this.#query[name];
    if (value === undefined || value === '') return undefined;
    if (typeof value === 'string') return value;
    throw new BadRequestException(`${name} is there more than once; it must be given once.`);
  }

  /** A whole number within these bounds. */
  number(name: string, least: number, most: number): number | undefined {
    return wholeNumber(name, this.text(name), least, most);
  }

  choice<T extends string>(name: string, choices: readonly T[]): T | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const choice = choices.find((known) => known === value);
    if (choice !== undefined) return choice;
    throw new BadRequestException(
      `${name} is "${value.slice(0, 50)}"; it must be one of ${choices.join(', ')}.${didYouMean(value, choices)}`,
    );
  }
}

/** @throws BadRequestException */
export function wholeNumber(
  name: string,
  value: string | undefined,
  least: number,
  most: number,
): number | undefined {
  if (value === undefined) return undefined;
  const number = /^\d{1,16}$/.test(value) ? Number(value) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new BadRequestException(
    `${name} is "${value.slice(0, 20)}"; it must be a whole number from ${least} to ${most}.`,
  );
}
