import { BadRequestException } from '@nestjs/common';
import { AgentInput } from '@nestor/core';
import { checkJsonBody, isObject } from './json-body.js';

/** The checked body of `POST /agents/:name/runs`. */
export interface RunBody {
  readonly input: AgentInput;
  readonly sessionId: string | undefined;
  /** What the client says of itself; definitions see it as `ctx.request`. */
  readonly context: Readonly<Record<string, unknown>> | undefined;
}

const FIELDS = ['input', 'sessionId', 'context'];
const MESSAGE_FIELDS = ['role', 'content', 'parts'];
const MAX_SESSION_ID = 200;

/** @throws BadRequestException naming the field and what it must be. */
export function parseRunBody(body: unknown): RunBody {
  const { input, sessionId, context } = checkJsonBody(
    body,
    FIELDS,
    '{"input": "How do I reset my password?"}',
  );
  return {
    input: parseInput(input),
    sessionId: parseSessionId(sessionId),
    context: parseContext(context),
  };
}

function parseInput(input: unknown): AgentInput {
  if (typeof input === 'string' && input.trim() !== '') return AgentInput.from(input);
  if (!Array.isArray(input) || input.length === 0) {
    throw new BadRequestException(
      `input is ${describe(input)}; it must be a text, or a list of messages such as {"role": "user", "content": "…"}.`,
    );
  }
  for (const [index, item] of input.entries()) checkMessage(item, `input[${index}]`);
  const parsed = AgentInput.from(input);
  if (parsed.messages.at(-1)?.role === 'user') return parsed;
  throw new BadRequestException('input must end with a message of the user: the one that is to be answered.');
}

/** A client may say what was said, and nothing that only the application can know: prompts, tool calls, results. */
function checkMessage(item: unknown, where: string): void {
  if (typeof item === 'string' && item.trim() !== '') return;
  if (!isObject(item)) {
    throw new BadRequestException(`${where} is ${describe(item)}; it must be a text or a message.`);
  }
  const unknown = Object.keys(item).find((key) => !MESSAGE_FIELDS.includes(key));
  if (unknown !== undefined) {
    throw new BadRequestException(
      `${where} has the field "${unknown.slice(0, 50)}"; a client's messages have ${MESSAGE_FIELDS.join(', ')}.`,
    );
  }
  if (item.role !== 'user' && item.role !== 'assistant') {
    throw new BadRequestException(
      `${where} has the role ${describe(item.role)}; it must be user or assistant.`,
    );
  }
  const hasText = typeof item.content === 'string' && item.content.trim() !== '';
  if (hasText || (item.role === 'user' && Array.isArray(item.parts) && item.parts.length > 0)) return;
  throw new BadRequestException(
    `${where} has the content ${describe(item.content)}; it must be a text, or the message must have parts such as ` +
      `{"type": "image", "url": "https://…"}.`,
  );
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

function describe(value: unknown): string {
  if (value === undefined) return 'missing';
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60).toWellFormed()}…` : text;
}
