import type { LlmMessage, LlmRequest } from '@nestor/core';

/** Which questions a rule answers: the whole text, an expression found in it, or a function of one's own. */
export type QuestionPattern = string | RegExp | ((question: string, request: LlmRequest) => boolean);

/** Where a request stands in the conversation. */
export interface Question {
  /** The last user message's text; its text parts joined by line ends if it has parts. Empty if there is none. */
  readonly text: string;
  /** How many answers the model has given to it so far. */
  readonly answers: number;
}

/** Read from the request alone, so that runs side by side cannot disturb each other. */
export function questionOf({ messages }: LlmRequest): Question {
  const index = messages.findLastIndex(({ role }) => role === 'user');
  const answers = messages.slice(index + 1).filter(({ role }) => role === 'assistant').length;
  return { text: textOf(messages[index]), answers };
}

function textOf(message: LlmMessage | undefined): string {
  if (!message?.parts?.length) return message?.content ?? '';
  return message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

export function isMatch(pattern: QuestionPattern, question: string, request: LlmRequest): boolean {
  if (typeof pattern === 'function') return pattern(question, request);
  // `search` heeds no `lastIndex`: an expression with the flag g would match every other time only.
  return typeof pattern === 'string' ? pattern === question : question.search(pattern) >= 0;
}
