/** How a server differs from others that speak chat completions. */
export interface ProviderProfile {
  /** The field for the cap of the answer. Default: `max_completion_tokens` for api.openai.com, else `max_tokens`. */
  readonly maxTokensField: 'max_tokens' | 'max_completion_tokens';
  /** Send an assistant message's reasoning back as `reasoning_content`. Default: true for DeepSeek's hosts. */
  readonly reasoningContent: boolean;
  /** Ask for strict mode where a tool or format does not say itself. Default false. */
  readonly strictSchemas: boolean;
  /** Schema keywords the server refuses, e.g. `['maxItems', 'format']`: they become part of the description. Default none. */
  readonly unsupportedKeywords: readonly string[];
  /** Ask for usage in streams (`stream_options.include_usage`). Default true. */
  readonly streamUsage: boolean;
  /** How a response format is asked for. `none`: not at all, the answer is only checked. Default `json_schema`. */
  readonly responseFormat: 'json_schema' | 'json_object' | 'none';
  /** Join the leading system messages into one. Default true. */
  readonly mergeSystem: boolean;
}

/** The profile of a host, with what the user set on top. */
export function providerProfile(hostname: string, given: Partial<ProviderProfile> = {}): ProviderProfile {
  return {
    maxTokensField: hostname === 'api.openai.com' ? 'max_completion_tokens' : 'max_tokens',
    reasoningContent: /(^|\.)deepseek\.com$/.test(hostname),
    strictSchemas: false,
    unsupportedKeywords: [],
    streamUsage: true,
    responseFormat: 'json_schema',
    mergeSystem: true,
    ...given,
  };
}
