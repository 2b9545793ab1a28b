import { BadRequestException } from '@nestjs/common';
import { didYouMean } from '@nestor/core';

/** As for the arguments of a tool. */
const DEPTH_LIMIT = 64;

/**
 * A body that is a JSON object with some of these fields, none nested too deep to be kept or shown.
 * @param example of a body, as JSON
 * @throws BadRequestException naming the field and what it must be.
 */
export function checkJsonBody(
  body: unknown,
  fields: readonly string[],
  example: string,
): Readonly<Record<string, unknown>> {
  if (!isObject(body)) {
    throw new BadRequestException(
      `The body must be a JSON object such as ${example}, sent with content-type: application/json.`,
    );
  }
  for (const [name, value] of Object.entries(body)) {
    if (!fields.includes(name)) {
      throw new BadRequestException(
        `The body has the unknown field "${name.slice(0, 50)}".${didYouMean(name, fields)} Fields are ${fields.join(', ')}.`,
      );
    }
    if (!isDeeper(value, DEPTH_LIMIT)) continue;
    throw new BadRequestException(`${name} is nested deeper than ${DEPTH_LIMIT} levels; it must be flatter.`);
  }
  return body;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((part) => isDeeper(part, levels - 1));
}
