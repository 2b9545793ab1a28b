import { BadRequestException } from '@nestjs/common';
import type { ApprovalAnswer } from '@nestor/agent';
import { checkJsonBody, isObject } from './json-body.js';

const FIELDS = ['decision', 'arguments', 'reason', 'argumentsHash'];

/**
 * The checked body of `POST /runs/:id/approvals/:callId`.
 * @throws BadRequestException naming the field and what it must be.
 */
export function parseApprovalBody(body: unknown): ApprovalAnswer {
  const {
    decision,
    reason,
    argumentsHash,
    arguments: edited,
  } = checkJsonBody(body, FIELDS, '{"decision": "approve"}');
  if (decision !== 'approve' && decision !== 'reject')
    throw wrong('decision', decision, '"approve" or "reject"');
  if (reason !== undefined && typeof reason !== 'string') throw wrong('reason', reason, 'a text');
  if (argumentsHash !== undefined && typeof argumentsHash !== 'string') {
    throw wrong('argumentsHash', argumentsHash, 'the hash that the pending approval has');
  }
  if (edited === undefined) return { decision, reason, argumentsHash };
  if (decision === 'reject') throw new BadRequestException('arguments go with an approval only.');
  if (!isObject(edited)) throw wrong('arguments', edited, 'a JSON object');
  return { decision, reason, argumentsHash, arguments: edited };
}

function wrong(field: string, value: unknown, must: string): BadRequestException {
  const shown = value === undefined ? 'missing' : JSON.stringify(value).slice(0, 60).toWellFormed();
  return new BadRequestException(`${field} is ${shown}; it must be ${must}.`);
}
