import type { Operator } from '../operators/operator.js';
import type { OperatorContext } from '../operators/operator.context.js';
import type { LlmProvider, LlmRequest, LlmResponse } from './llm.provider.js';
import { modelRequest, type LlmChatOperatorOptions } from './model-request.js';

/** The operator `llmChat`: one model call, answered as a whole. */
export class LlmChatOperator implements Operator<LlmRequest, LlmResponse> {
  readonly metadata = { kind: 'model', description: 'Calls a chat model.' } as const;
  readonly #provider: LlmProvider;
  readonly #options: LlmChatOperatorOptions;

  constructor(provider: LlmProvider, options: LlmChatOperatorOptions = {}) {
    this.#provider = provider;
    this.#options = options;
  }

  /** @throws LlmException, or the signal's reason. */
  async execute(request: LlmRequest, context: OperatorContext): Promise<LlmResponse> {
    return this.#provider.chat(modelRequest(request, this.#options, context));
  }
}
