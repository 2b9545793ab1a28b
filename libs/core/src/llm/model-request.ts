import { LlmException } from '../errors/llm.exception.js';
import type { OperatorContext } from '../operators/operator.context.js';
import type { LlmRequest } from './llm.provider.js';

export interface LlmChatOperatorOptions {
  /** What a request for the model `default` gets: the configured `llm.model`. Without it such a request fails. */
  readonly defaultModel?: string | undefined;
}

/**
 * A request as it goes to the provider: `default` replaced, the context's signal added if it has none.
 * @throws LlmException `invalid_request` if there is no default model to put in.
 */
export function modelRequest(
  request: LlmRequest,
  { defaultModel }: LlmChatOperatorOptions,
  context: OperatorContext,
): LlmRequest {
  const model = request.model === 'default' ? defaultModel : request.model;
  if (!model) {
    throw new LlmException(
      'The model "default" stands for the configured one, and none is configured. ' +
        'Set llm.model (LLM_MODEL), or name a model in the agent.',
      { kind: 'invalid_request' },
    );
  }
  return { ...request, model, signal: request.signal ?? context.signal };
}
