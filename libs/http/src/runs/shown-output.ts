import type { AgentOutput, AgentStreamChunk, LlmMessage } from '@nestor/core';

/**
 * An output as clients get it: without system messages, which are the operator's instructions. Its checkpoint can still
 * be resumed: the prompt belongs to the definition and is put in front again.
 */
export function shownOutput(output: AgentOutput): AgentOutput {
  const { messages, checkpoint } = output;
  const conversation = withoutSystem(checkpoint.conversation);
  return { ...output, messages: withoutSystem(messages), checkpoint: { ...checkpoint, conversation } };
}

export function shownChunk(chunk: AgentStreamChunk): AgentStreamChunk {
  return chunk.type === 'done' ? { ...chunk, finalOutput: shownOutput(chunk.finalOutput) } : chunk;
}

function withoutSystem(messages: readonly LlmMessage[]): readonly LlmMessage[] {
  return messages.filter(({ role }) => role !== 'system');
}
