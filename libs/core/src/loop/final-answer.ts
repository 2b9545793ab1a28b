import { InvalidResponseException } from '../errors/invalid-response.exception.js';
import type { InputIssue, InputValidation } from '../operators/input-schema.js';
import { issueText } from '../operators/issue-text.js';
import type { AgentRun } from './agent-run.js';

/**
 * Checks a final answer against the response format. Gives false when the model was asked to repair it, once.
 * @throws InvalidResponseException if it still does not fit then.
 */
export async function acceptAnswer(run: AgentRun): Promise<boolean> {
  const { responseFormat, id } = run.agent.def;
  if (!responseFormat) return true;
  const validation = await validate(run.answer?.message.content ?? '', (value) =>
    responseFormat.validate(value),
  );
  if (validation.ok) {
    run.value = validation.value;
    return true;
  }
  if (run.repairAsked) throw new InvalidResponseException(id, validation.issues);
  run.repairAsked = true;
  run.memory.append(Object.freeze({ role: 'user', content: repairRequest(validation.issues) }));
  return false;
}

async function validate(
  text: string,
  check: (value: unknown) => InputValidation | Promise<InputValidation>,
): Promise<InputValidation> {
  let value: unknown;
  try {
    value = JSON.parse(withoutFence(text));
  } catch (error) {
    return {
      ok: false,
      issues: [{ path: '', message: error instanceof Error ? error.message : 'it is not JSON' }],
    };
  }
  return check(value);
}

/** Models like to wrap JSON in a Markdown code fence. */
function withoutFence(text: string): string {
  const trimmed = text.trim();
  if (!trimmed.startsWith('```') || !trimmed.endsWith('```')) return trimmed;
  return trimmed.slice(trimmed.indexOf('\n') + 1, -3);
}

function repairRequest(issues: readonly InputIssue[]): string {
  const list = issues.map((issue) => `- ${issueText(issue)}`).join('\n');
  return `Your answer does not fit the required JSON schema:\n${list}\nAnswer again with the corrected JSON only.`;
}
