import { parseToolArguments, type AgentOutput } from '@nestor/core';

/** A tool call that a run made. */
export interface MadeCall {
  readonly name: string;
  /** As the conversation has them: what the model sent, `{}` in place of what was no JSON. */
  readonly argumentsText: string;
  /** As the tool got them; the text itself if it is no JSON object. */
  readonly args: unknown;
  /** What the model was told. Undefined if the run ended before. */
  readonly resultText: string | undefined;
}

/** The calls of this run in order; those that the session made before are left out. */
export function callsOfRun({ messages, turnsUsed }: AgentOutput): readonly MadeCall[] {
  const results = new Map(messages.map(({ toolCallId, content }) => [toolCallId, content]));
  const answers = messages.filter(({ role }) => role === 'assistant');
  // Every turn has one answer, and the run's come last.
  return answers
    .slice(Math.max(0, answers.length - turnsUsed))
    .flatMap(({ toolCalls = [] }) => toolCalls)
    .map(({ id, name, arguments: argumentsText }) => ({
      name,
      argumentsText,
      args: readArguments(argumentsText),
      resultText: results.get(id) ?? undefined,
    }));
}

function readArguments(text: string): unknown {
  const parsed = parseToolArguments(text);
  return parsed.ok ? parsed.value : text;
}
