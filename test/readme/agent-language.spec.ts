import { existsSync, readdirSync, readFileSync } from 'node:fs';
import {
  AgentDslCompiler,
  AgentDslException,
  LlmChatOperator,
  OperatorRegistry,
  ScriptedProvider,
  formatSource,
} from '@nestor/core';
import { describe, expect, it, vi } from 'vitest';
import { METHOD_NAMES } from '../../libs/core/src/language/evaluation/methods.js';
import { AGENT_PROPERTIES } from '../../libs/core/src/language/property-names.js';
import { askCompiled } from './agent-language.example.js';

const root = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');
const pages = ['README.md', ...['libs', 'apps'].flatMap(readmesOf)];

function readmesOf(folder: string): string[] {
  return readdirSync(new URL(folder, root))
    .map((name) => `${folder}/${name}/README.md`)
    .filter((path) => existsSync(new URL(path, root)));
}

function blocks(path: string, language: string): string[] {
  return [...read(path).matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, text = '']) => text,
  );
}

const snippets = pages.flatMap((path) =>
  blocks(path, 'agent').map((source, index) => ({ path, index, source })),
);

describe('agents in the pages', () => {
  it.each(snippets)('compile without a warning and are formatted: $path, snippet $index', ({ source }) => {
    expect(new AgentDslCompiler().check(source).diagnostics).toEqual([]);
    expect(formatSource(source)).toEqual({ text: source });
  });
});

describe('the chapter of the agent language', () => {
  const page = read('libs/core/README.md');
  const [source = ''] = blocks('libs/core/README.md', 'agent');

  it('shows an agent that runs', async () => {
    const warn = vi.spyOn(console, 'warn');
    const inputs: unknown[] = [];
    const provider = new ScriptedProvider([
      { toolCalls: [{ name: 'searchArticles', arguments: { query: 'locked' } }] },
      { toolCalls: [{ name: 'escalateToHuman', arguments: {} }] },
    ]);
    const registry = OperatorRegistry.builder()
      .register('SearchArticles', { execute: (input: unknown) => inputs.push(input) })
      .register('EscalateToHuman', { execute: () => ({ queued: true }) })
      .register('llmChat', new LlmChatOperator(provider))
      .build();
    const output = await askCompiled(source, registry);
    expect(output).toMatchObject({ exitReason: 'exit_condition', turnsUsed: 2 });
    expect(output.messages[0]?.content).toBe('You are a support agent. The user is a guest.');
    expect(inputs).toEqual([{ query: 'locked', limit: 5, locale: null }]);
    expect(warn).not.toHaveBeenCalled();
  });

  it('shows mistakes as they are told', () => {
    const broken = `agent customerSupport {
  model = "gpt-4o-mini"
  max_turn = 15
  exit_condition = content == "" || tool_args.done
}`;
    const [shown = ''] = blocks('libs/core/README.md', 'text').filter((text) =>
      text.includes('support.agent'),
    );
    const compile = (): unknown => new AgentDslCompiler().compile(broken, { file: 'support.agent' });
    expect(compile).toThrow(AgentDslException);
    expect(compile).toThrow(shown.trimEnd());
  });

  it('names every property and every method', () => {
    const names = [...AGENT_PROPERTIES, ...METHOD_NAMES];
    expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });
});
