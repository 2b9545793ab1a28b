import { BadRequestException } from '@nestjs/common';
import type { ApprovalAnswer } from '@nestor/agent';
import { didYouMean, toJsonSafe } from '@nestor/core';

const FIELDS = ['decision', 'arguments', 'reason', 'argumentsHash'];

/**
 * The checked body of `POST /runs/:id/approvals/:callId`.
 * @throws BadRequestException naming the field and what it must be.
 */
export function parseApprovalBody(body: unknown): ApprovalAnswer {
  if (!isObject(body)) {
    throw new BadRequestException('The body must be a JSON object such as {"decision": "approve"}.');
  }
  const unknown = Object.keys(body).find((key) => !FIELDS.includes(key));
  if (unknown !== undefined) {
    throw new BadRequestException(
      `The body has the unknown field "${unknown.slice(0, 50)}".${didYouMean(unknown, FIELDS)} Fields are ${FIELDS.join(', ')}.`,
    );
  }
  const { decision, reason, argumentsHash } = body;
  if (decision !== 'approve' && decision !== 'reject')
    throw wrong('decision', decision, '"approve" or "reject"');
  if (reason !== undefined && typeof reason !== 'string') throw wrong('reason', reason, 'a text');
  if (argumentsHash !== undefined && typeof argumentsHash !== 'string') {
    throw wrong('argumentsHash', argumentsHash, 'the hash that the pending approval has');
  }
  if (body.arguments === undefined) return { decision, reason, argumentsHash };
  if (decision === 'reject') throw new BadRequestException('arguments go with an approval only.');
  if (!isObject(body.arguments)) throw wrong('arguments', body.arguments, 'a JSON object');
  return { decision, reason, argumentsHash, arguments: body.arguments };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function wrong(field: string, value: unknown, must: string): BadRequestException {
  const shown =
    value === undefined ? 'missing' : JSON.stringify(toJsonSafe(value)).slice(0, 60).toWellFormed();
  return new BadRequestException(`${field} is ${shown}; it must be ${must}.`);
}
