import { CliError, reasonOf } from '../cli.error.js';
import { parseOperatorMetadata, type KnownOperator } from './operator-metadata.js';

/** How long an answer may take, in ms. */
const ANSWER_MS = 10_000;

/**
 * Asks a running application for its operators.
 * @param url where `AgentHttpModule` is, such as `http://localhost:3000`
 * @param token the bearer token; undefined: none is asked for
 * @throws CliError if it gives none
 */
export async function askForOperators(
  url: string,
  token: string | undefined,
): Promise<readonly KnownOperator[]> {
  const address = addressOf(url);
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token)) {
    throw new CliError(
      'NESTOR_API_TOKEN holds a space or a character outside ASCII, which no header can carry.',
    );
  }
  const { status, text } = await get(address, token);
  if (status === 200) return parseOperatorMetadata(text, `The answer of ${address}`);
  throw new CliError(`${address} answers ${status}. ${remedyOf(status)}`);
}

function addressOf(url: string): string {
  const base = URL.canParse(url) ? new URL(url) : undefined;
  if (!base || !/^https?:$/.test(base.protocol) || base.username || base.password) {
    throw new CliError('--url must be an http or https URL without a user, such as http://localhost:3000.');
  }
  return `${base.origin}${base.pathname.replace(/\/+$/, '')}/operators`;
}

async function get(address: string, token: string | undefined): Promise<{ status: number; text: string }> {
  try {
    const response = await fetch(address, {
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    return { status: response.status, text: await response.text() };
  } catch (error) {
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    throw new CliError(`Cannot reach ${address}: ${reasonOf(cause)}. Is the application running?`);
  }
}

function remedyOf(status: number): string {
  if (status === 401 || status === 403) return "Set NESTOR_API_TOKEN to the application's token.";
  if (status === 404) return 'Its root module must import AgentHttpModule of @nestor/http.';
  return 'Look at the log of the application.';
}
