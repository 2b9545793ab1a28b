import { registerAs, type ConfigType } from '@nestjs/config';

/** What the environment says. Read through `@nestjs/config`, so that an `.env` file loaded by the application counts. */
export const agentSettings = registerAs('nestor', () => ({
  baseUrl: text('OPENAI_BASE_URL'),
  apiKey: text('OPENAI_API_KEY'),
  model: text('LLM_MODEL'),
}));

export type AgentSettings = ConfigType<typeof agentSettings>;

function text(name: string): string | undefined {
  return process.env[name]?.trim() || undefined;
}
