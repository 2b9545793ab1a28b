import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { buildRuntime, type BuiltRuntime } from '../support/runtime-build.js';
import { RuntimeProcess } from '../support/runtime-process.js';

const DESK = `agent helpDesk {
  model = "default"
  system_prompt = "Help."
  max_turns = 1
  tool find : searchKnowledgeBase { input { query = tool_args.query } }
}
`;

describe('A runtime with a folder of agents', () => {
  let built: BuiltRuntime;
  let folder: string;
  let runtime: RuntimeProcess | undefined;
  beforeAll(async () => void (built = await buildRuntime()), 120_000);
  afterAll(() => rm(built.directory, { recursive: true, force: true }));
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'nestor-folder-'));
    await mkdir(join(folder, 'agents'));
  });
  afterEach(async () => {
    await runtime?.kill();
    runtime = undefined;
    await rm(folder, { recursive: true });
  });

  const save = (source: string) => writeFile(join(folder, 'agents', 'desk.agent'), source);
  const start = () => RuntimeProcess.start(built.file, { AGENTS_DIR: 'agents' }, folder);
  const ask = async (url: string): Promise<{ readonly status: number; readonly code?: string }> => {
    const response = await fetch(`${url}/agents/helpDesk/runs`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"input":"I want a human agent"}',
    });
    return { status: response.status, ...((await response.json()) as object) };
  };

  it('runs them beside those of the support desk, and follows their files', { timeout: 60_000 }, async () => {
    await save(DESK);
    runtime = await start();
    const { url } = runtime;
    const agents = (await (await fetch(`${url}/agents`)).json()) as { id: string; streaming: boolean }[];
    expect(Object.fromEntries(agents.map(({ id, streaming }) => [id, streaming]))).toEqual({
      customerSupport: false,
      deskAnalyst: true,
      helpDesk: false,
    });
    // The agent has no such tool, so that the script has nothing to say to it.
    expect((await ask(url)).status).toBe(200);

    await save(`${DESK.slice(0, -2)}  tool escalateToHuman : escalateToHuman {}\n}\n`);
    // With one turn the run is now out of turns once it has called the new tool.
    await vi.waitFor(async () => expect((await ask(url)).code).toBe('max_turns'), {
      timeout: 20_000,
      interval: 200,
    });

    await save(DESK.replace('max_turns', 'max_truns'));
    await vi.waitFor(() => expect(runtime?.output).toContain('agents/desk.agent:4:3'), { timeout: 20_000 });
    expect(runtime.output).toContain('max_turns');
    expect((await ask(url)).code).toBe('max_turns');

    await rm(join(folder, 'agents', 'desk.agent'));
    await vi.waitFor(async () => expect((await ask(url)).status).toBe(404), {
      timeout: 20_000,
      interval: 200,
    });
    expect(runtime.output).toContain('Agent "helpDesk" is in no file any more');
  });

  it('does not start with a file that has errors, and shows them all', async () => {
    await save(
      DESK.replace('max_turns = 1', 'max_truns = 1').replace('searchKnowledgeBase', 'searchKnowlegeBase'),
    );
    const failure = await start().catch(String);
    expect(failure).toContain('agents/desk.agent:4:3');
    expect(failure).toContain('agents/desk.agent:5:15');
    expect(failure).toContain('max_turns');
    expect(failure).toContain('searchKnowledgeBase');
  });
});
