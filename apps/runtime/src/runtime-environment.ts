import { checkDatabaseUrl } from './database-address.js';
import { InvalidEnvironmentError } from './invalid-environment.error.js';
import { isLoopbackHost } from './loopback-host.js';

/** What the runtime reads from its environment, checked. */
export interface RuntimeEnvironment {
  /** Address to listen on. Default `127.0.0.1`. */
  readonly host: string;
  /** 0 to 65535; 0 takes any free port. Default 3000. */
  readonly port: number;
  /** The bearer token that clients must send; undefined: none, loopback only. */
  readonly apiToken: string | undefined;
  /** Default `sqlite:data/agent.db`. */
  readonly databaseUrl: string;
  /** How long runs and sessions stay with a process that died, in ms; undefined: the default of `AgentModule`. */
  readonly leaseMs: number | undefined;
  /** A folder whose `.agent` files are run beside the support desk; undefined: none. */
  readonly agentsDirectory: string | undefined;
  /** The provider to ask; undefined: none is configured. */
  readonly llm: LlmEnvironment | undefined;
}

export interface LlmEnvironment {
  /** Default `gpt-4o-mini`. */
  readonly model: string;
  readonly baseUrl?: string;
  readonly apiKey?: string;
}

const DEFAULT_HOST = '127.0.0.1';
const DEFAULT_PORT = 3000;
const DEFAULT_MODEL = 'gpt-4o-mini';
const SHORTEST_LEASE_MS = 100;
const LONGEST_LEASE_MS = 86_400_000;

/**
 * Reads the runtime's variables; one that is set to nothing counts as not set.
 * @throws InvalidEnvironmentError that names every variable that is wrong, and what to do.
 */
export function parseRuntimeEnvironment(variables: NodeJS.ProcessEnv): RuntimeEnvironment {
  const problems: string[] = [];
  const read = (name: string): string | undefined => variables[name]?.trim() || undefined;

  const host = read('HOST') ?? DEFAULT_HOST;
  const port = parsePort(read('PORT'), problems);
  const apiToken = checkToken(read('NESTOR_API_TOKEN'), problems);
  const baseUrl = checkBaseUrl(read('OPENAI_BASE_URL'), problems);
  const apiKey = checkKey(read('OPENAI_API_KEY'), problems);
  const databaseUrl = checkDatabaseUrl(read('DATABASE_URL'), problems);
  const leaseMs = parseLease(read('NESTOR_LEASE_MS'), problems);

  if (!isLoopbackHost(host) && !apiToken) {
    problems.push(
      `HOST is "${host}", which other machines can reach, but NESTOR_API_TOKEN is not set. ` +
        `Set NESTOR_API_TOKEN to a secret that clients send as a bearer token, or remove HOST to serve this machine only.`,
    );
  }
  if (problems.length > 0) throw new InvalidEnvironmentError(problems);

  const hasProvider = baseUrl !== undefined || apiKey !== undefined;
  const model = read('LLM_MODEL') ?? DEFAULT_MODEL;
  const llm = hasProvider ? { model, ...(baseUrl && { baseUrl }), ...(apiKey && { apiKey }) } : undefined;
  return { host, port, apiToken, databaseUrl, leaseMs, agentsDirectory: read('AGENTS_DIR'), llm };
}

function parsePort(value: string | undefined, problems: string[]): number {
  if (value === undefined) return DEFAULT_PORT;
  if (/^\d{1,5}$/.test(value) && Number(value) <= 65_535) return Number(value);
  problems.push(
    `PORT is "${value}", but it must be a whole number from 0 to 65535. ` +
      `Set e.g. PORT=${DEFAULT_PORT}, or PORT=0 for any free port.`,
  );
  return DEFAULT_PORT;
}

function parseLease(value: string | undefined, problems: string[]): number | undefined {
  if (value === undefined) return undefined;
  const leaseMs = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
  if (leaseMs >= SHORTEST_LEASE_MS && leaseMs <= LONGEST_LEASE_MS) return leaseMs;
  problems.push(
    `NESTOR_LEASE_MS is "${value}", but it must be a whole number of milliseconds from ${SHORTEST_LEASE_MS} to ` +
      `${LONGEST_LEASE_MS}. Set e.g. NESTOR_LEASE_MS=30000, or remove it.`,
  );
  return undefined;
}

function checkToken(value: string | undefined, problems: string[]): string | undefined {
  if (value === undefined || /^[\x21-\x7e]+$/.test(value)) return value;
  problems.push(
    'NESTOR_API_TOKEN holds a space or a character outside ASCII, which no Authorization header can carry. ' +
      'Set it to e.g. the output of "openssl rand -hex 32".',
  );
  return undefined;
}

function checkKey(value: string | undefined, problems: string[]): string | undefined {
  if (value === undefined || /^[\x21-\x7e]+$/.test(value)) return value;
  problems.push(
    'OPENAI_API_KEY holds a space, a line break or a character outside ASCII, which no header can carry. Copy it again.',
  );
  return undefined;
}

function checkBaseUrl(value: string | undefined, problems: string[]): string | undefined {
  if (value === undefined) return value;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url?.username || url?.password) {
    problems.push('OPENAI_BASE_URL holds a user name or password. Leave them out and set OPENAI_API_KEY.');
    return undefined;
  }
  if (url && /^https?:$/.test(url.protocol)) return value;
  problems.push(
    `OPENAI_BASE_URL is "${value}", but it must be an http or https URL. ` +
      `Set e.g. OPENAI_BASE_URL=http://127.0.0.1:11434/v1.`,
  );
  return undefined;
}
