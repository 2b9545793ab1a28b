import { describe, expect, it } from 'vitest';
import type { LanguageModel } from './language-model.js';
import { parseRuntimeEnvironment } from './runtime-environment.js';
import type { Runtime } from './runtime.js';
import { ScriptedModel } from './scripted-model/scripted-model.js';
import { startUpReport } from './start-up-report.js';

function report(variables: NodeJS.ProcessEnv, model: LanguageModel): string {
  const runtime = { url: 'http://127.0.0.1:3000', model } as Runtime;
  return startUpReport(parseRuntimeEnvironment(variables), runtime);
}

describe('startUpReport', () => {
  it('names the model and the provider, without key and credentials', () => {
    const llm = {
      model: 'qwen3',
      baseUrl: 'https://me:hidden@models.example/v1/?k=hidden',
      apiKey: 'sk-hidden',
    };
    const text = report({}, { llm, scripted: undefined });
    expect(text).toContain('qwen3 at https://models.example/v1\n');
    expect(text).not.toContain('hidden');
  });

  it('says plainly that answers are scripted, and what to set for a model', async () => {
    const scripted = await ScriptedModel.start();
    try {
      const text = report({}, { llm: { model: 'scripted', baseUrl: scripted.baseUrl }, scripted });
      expect(text).toMatch(
        /scripted.*not from a model[\s\S]*OPENAI_API_KEY[\s\S]*OPENAI_BASE_URL[\s\S]*LLM_MODEL/,
      );
    } finally {
      await scripted.stop();
    }
  });

  it('names the database, without credentials', () => {
    const model: LanguageModel = { llm: { model: 'm' }, scripted: undefined };
    expect(report({}, model)).toContain('Data:   SQLite, data/agent.db\n');
    const text = report({ DATABASE_URL: 'postgres://ann:hidden@db.example/agents' }, model);
    expect(text).toContain('Data:   PostgreSQL at db.example/agents\n');
    expect(text).not.toMatch(/hidden|ann/);
  });

  it('gives a curl line that works as it stands, and asks for the token where there is one', () => {
    const model: LanguageModel = { llm: { model: 'm' }, scripted: undefined };
    expect(report({}, model)).toContain('curl -s localhost:3000/agents/customerSupport/runs \\\n');
    expect(report({}, model)).not.toContain('authorization');
    const guarded = report({ NESTOR_API_TOKEN: 'hidden' }, model);
    expect(guarded).toContain('-H "authorization: Bearer $NESTOR_API_TOKEN"');
    expect(guarded).not.toContain('hidden');
  });
});
