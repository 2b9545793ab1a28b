import { describeDatabase } from './database-address.js';
import type { RuntimeEnvironment } from './runtime-environment.js';
import type { Runtime } from './runtime.js';

const OPENAI = 'https://api.openai.com/v1';

/** What a person wants to know when the runtime has started. */
export function startUpReport(
  { apiToken, host, databaseUrl }: RuntimeEnvironment,
  { url, model }: Runtime,
): string {
  return [
    `Nestor is listening on ${url}`,
    '',
    `Model:  ${describeModel(model)}`,
    `Data:   ${describeDatabase(databaseUrl)}`,
    `Access: ${describeAccess(apiToken, host)}`,
    '',
    'Try:',
    `  curl -s ${url.replace('http://127.0.0.1', 'localhost')}/agents/customerSupport/runs \\`,
    ...(apiToken ? [`    -H "authorization: Bearer $NESTOR_API_TOKEN" \\`] : []),
    `    -H 'content-type: application/json' -d '{"input":"How do I reset my password?"}'`,
    '',
  ].join('\n');
}

function describeModel({ llm, scripted }: Runtime['model']): string {
  if (!scripted) return `${llm.model} at ${withoutCredentials(llm.baseUrl ?? OPENAI)}`;
  return (
    'none. Answers are scripted by aimock, not from a model. For a real one set OPENAI_API_KEY\n' +
    '        (or OPENAI_BASE_URL for another compatible server) and LLM_MODEL, and start again.'
  );
}

function describeAccess(apiToken: string | undefined, host: string): string {
  return apiToken
    ? `on ${host}, with the bearer token in NESTOR_API_TOKEN.`
    : 'this machine only, because NESTOR_API_TOKEN is not set.';
}

function withoutCredentials(address: string): string {
  const { origin, pathname } = new URL(address);
  return origin + pathname.replace(/\/$/, '');
}
