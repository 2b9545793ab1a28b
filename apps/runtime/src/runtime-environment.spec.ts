import { describe, expect, it } from 'vitest';
import { InvalidEnvironmentError } from './invalid-environment.error.js';
import { parseRuntimeEnvironment } from './runtime-environment.js';

function problemsOf(variables: NodeJS.ProcessEnv): readonly string[] {
  try {
    parseRuntimeEnvironment(variables);
  } catch (error) {
    if (error instanceof InvalidEnvironmentError) return error.problems;
    throw error;
  }
  return [];
}

describe('parseRuntimeEnvironment', () => {
  it('needs nothing: loopback, port 3000, no provider', () => {
    expect(parseRuntimeEnvironment({})).toEqual({
      host: '127.0.0.1',
      port: 3000,
      apiToken: undefined,
      databaseUrl: 'sqlite:data/agent.db',
      leaseMs: undefined,
      agentsDirectory: undefined,
      llm: undefined,
    });
  });

  it('takes a variable that is set to nothing as not set', () => {
    const empty = { HOST: '', PORT: ' ', NESTOR_API_TOKEN: '', OPENAI_API_KEY: '', OPENAI_BASE_URL: '' };
    expect(parseRuntimeEnvironment(empty)).toEqual(parseRuntimeEnvironment({}));
  });

  it.each([
    ['0', 0],
    ['8080', 8080],
    ['65535', 65_535],
  ])('takes PORT=%s', (PORT, port) => {
    expect(parseRuntimeEnvironment({ PORT }).port).toBe(port);
  });

  it.each(['65536', '-1', '80.5', '0x50', 'http', '1e3'])(
    'refuses PORT=%s and says what would do',
    (PORT) => {
      expect(problemsOf({ PORT })).toEqual([
        expect.stringMatching(`^PORT is "${PORT}", .* 0 to 65535.* PORT=3000`),
      ]);
    },
  );

  it.each([
    ['100', 100],
    ['86400000', 86_400_000],
  ])('takes NESTOR_LEASE_MS=%s', (NESTOR_LEASE_MS, leaseMs) => {
    expect(parseRuntimeEnvironment({ NESTOR_LEASE_MS }).leaseMs).toBe(leaseMs);
  });

  it.each(['99', '86400001', '-1', '1e3', '30s'])('refuses NESTOR_LEASE_MS=%s', (NESTOR_LEASE_MS) => {
    expect(problemsOf({ NESTOR_LEASE_MS })).toEqual([
      expect.stringMatching(`^NESTOR_LEASE_MS is "${NESTOR_LEASE_MS}", .* 100 to 86400000`),
    ]);
  });

  it('asks OpenAI when there is a key', () => {
    expect(parseRuntimeEnvironment({ OPENAI_API_KEY: 'sk-1' }).llm).toEqual({
      model: 'gpt-4o-mini',
      apiKey: 'sk-1',
    });
  });

  it('asks another server without a key, and the model named', () => {
    const variables = { OPENAI_BASE_URL: 'http://127.0.0.1:11434/v1', LLM_MODEL: 'qwen3' };
    expect(parseRuntimeEnvironment(variables).llm).toEqual({
      model: 'qwen3',
      baseUrl: 'http://127.0.0.1:11434/v1',
    });
  });

  it('does not take a model alone for a provider', () => {
    expect(parseRuntimeEnvironment({ LLM_MODEL: 'qwen3' }).llm).toBeUndefined();
  });

  it.each(['localhost:11434', 'ftp://models.example', 'models.example/v1'])(
    'refuses OPENAI_BASE_URL=%s',
    (OPENAI_BASE_URL) => {
      expect(problemsOf({ OPENAI_BASE_URL })).toEqual([expect.stringContaining(`"${OPENAI_BASE_URL}"`)]);
    },
  );

  it.each(['0.0.0.0', '::', '192.168.1.20', 'nestor.example', '[::1]'])(
    'refuses HOST=%s without a token and says which variable to set',
    (HOST) => {
      expect(problemsOf({ HOST })).toEqual([expect.stringMatching(/^HOST is .* Set NESTOR_API_TOKEN/)]);
      expect(parseRuntimeEnvironment({ HOST, NESTOR_API_TOKEN: 't0ken' }).host).toBe(HOST);
    },
  );

  it.each(['localhost', '127.0.0.1', '127.1.2.3', '::1'])('serves HOST=%s without a token', (HOST) => {
    expect(problemsOf({ HOST })).toEqual([]);
  });

  it('refuses a token that no header can carry, and does not print it', () => {
    const problems = problemsOf({ NESTOR_API_TOKEN: 'my secret' });
    expect(problems).toEqual([expect.stringContaining('NESTOR_API_TOKEN')]);
    expect(problems[0]).not.toContain('my secret');
  });

  it('names every variable that is wrong at once', () => {
    const problems = problemsOf({
      PORT: 'x',
      OPENAI_BASE_URL: 'y',
      DATABASE_URL: 'z',
      HOST: '0.0.0.0',
    });
    const names = problems.map((problem) => problem.split(' ')[0]);
    expect(names).toEqual(['PORT', 'OPENAI_BASE_URL', 'DATABASE_URL', 'HOST']);
  });
});
