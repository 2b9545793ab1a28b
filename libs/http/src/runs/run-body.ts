import { BadRequestException } from '@nestjs/common';
import { AgentInput, didYouMean } from '@nestor/core';

/** The checked body of `POST /agents/:name/runs`. */
export interface RunBody {
  readonly input: AgentInput;
  readonly sessionId: string | undefined;
  /** What the client says of itself; definitions see it as `ctx.request`. */
  readonly context: Readonly<Record<string, unknown>> | undefined;
}

const FIELDS = ['input', 'sessionId', 'context'];
const MAX_SESSION_ID = 200;

/** @throws BadRequestException naming the field and what it must be. */
export function parseRunBody(body: unknown): RunBody {
  if (!isObject(body)) {
    throw new BadRequestException(
      'The body must be a JSON object such as {"input": "How do I reset my password?"}, sent with content-type: application/json.',
    );
  }
  const unknown = Object.keys(body).find((key) => !FIELDS.includes(key));
  if (unknown !== undefined) {
    throw new BadRequestException(
      `The body has the unknown field "${unknown.slice(0, 50)}".${didYouMean(unknown, FIELDS)} Fields are ${FIELDS.join(', ')}.`,
    );
  }
  return {
    input: parseInput(body.input),
    sessionId: parseSessionId(body.sessionId),
    context: parseContext(body.context),
  };
}

function parseInput(input: unknown): AgentInput {
  const isText = typeof input === 'string' && input.trim() !== '';
  const isList =
    Array.isArray(input) &&
    input.length > 0 &&
    input.every((item) => typeof item === 'string' || isObject(item));
  if (!isText && !isList) {
    throw new BadRequestException(
      `input is ${describe(input)}; it must be a text, or a list of messages such as {"role": "user", "content": "…"}.`,
    );
  }
  const parsed = AgentInput.from(input);
  const foreign = parsed.messages.find(({ role }) => role === 'system' || role === 'tool');
  if (foreign) {
    throw new BadRequestException(
      `input holds a ${foreign.role} message; a client may send user and assistant messages only.`,
    );
  }
  return parsed;
}

function parseSessionId(sessionId: unknown): string | undefined {
  if (sessionId === undefined || sessionId === null) return undefined;
  if (typeof sessionId === 'string' && sessionId.length > 0 && sessionId.length <= MAX_SESSION_ID)
    return sessionId;
  throw new BadRequestException(
    `sessionId is ${describe(sessionId)}; it must be a text of 1 to ${MAX_SESSION_ID} characters.`,
  );
}

function parseContext(context: unknown): Readonly<Record<string, unknown>> | undefined {
  if (context === undefined || context === null) return undefined;
  if (isObject(context)) return context;
  throw new BadRequestException(`context is ${describe(context)}; it must be a JSON object.`);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function describe(value: unknown): string {
  if (value === undefined) return 'missing';
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
