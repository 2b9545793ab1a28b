import { AgentAbortedException, AgentBuilder } from '@nestor/core';
import { firstValueFrom, lastValueFrom, toArray } from 'rxjs';
import { afterEach, describe, expect, it } from 'vitest';
import { deferred } from '../../../../test/support/scripted-agent.js';
import { startToolApp, type ToolApp } from '../../../../test/support/tool-app.js';
import { AgentModule } from '../agent.module.js';
import { ActiveRuns } from './active-runs.js';

const open: ToolApp[] = [];
const start = async (
  script: NonNullable<Parameters<typeof startToolApp>[1]>['script'] & {},
): Promise<ToolApp> => {
  const app = await startToolApp(
    { imports: [AgentModule.forFeature({ agents: [AgentBuilder.create('poet').model('m')] })] },
    { script, options: { shutdownGraceMs: 0 } },
  );
  open.push(app);
  return app;
};
afterEach(async () => {
  for (const app of open.splice(0)) await app.close();
});

describe('a streaming run', () => {
  it('gives its chunks as events with the type of the chunk', async () => {
    const app = await start(() => ({ text: 'two words' }));
    const events = await lastValueFrom(app.agents.stream('poet', 'Hi').toObservable().pipe(toArray()));

    expect(events.map(({ type }) => type)).toEqual(['token', 'token', 'done']);
    expect(events.every(({ type, data }) => data.type === type)).toBe(true);
  });

  it('gives its output alone', async () => {
    const app = await start(() => ({ text: 'two words' }));
    expect((await app.agents.stream('poet', 'Hi').output()).content).toBe('two words');
  });

  it('fails as the run fails, in each form', async () => {
    const app = await start(() => ({ error: new Error('no model') }));
    await expect(app.agents.stream('poet', 'Hi').output()).rejects.toThrow('no model');
    await expect(lastValueFrom(app.agents.stream('poet', 'Hi').toObservable())).rejects.toThrow('no model');
  });

  it('is aborted when nobody subscribes any longer, though no chunk comes', async () => {
    const asked = deferred();
    const app = await start(({ signal }) => {
      asked.resolve();
      return new Promise((_, reject) =>
        signal!.addEventListener('abort', () => reject(signal!.reason as Error)),
      );
    });
    const active = app.app.get(ActiveRuns);
    const errors: unknown[] = [];
    const subscription = app.agents
      .stream('poet', 'Hi')
      .toObservable()
      .subscribe({ error: (error) => errors.push(error) });
    await asked.promise;
    expect(active.size).toBe(1);
    subscription.unsubscribe();
    await active.close(60_000);

    expect(active.size).toBe(0);
    expect(errors).toEqual([]);
  });

  it('is aborted by a subscriber that has enough', async () => {
    const app = await start(() => ({ tokens: Array.from({ length: 1_000 }, (_, index) => `${index} `) }));
    const event = await firstValueFrom(app.agents.stream('poet', 'Hi').toObservable());
    expect(event).toMatchObject({ type: 'token', data: { text: '0 ' } });
    await app.app.get(ActiveRuns).close(60_000);
  });

  it('can be cancelled by its id', async () => {
    const asked = deferred();
    const app = await start(({ signal }) => {
      asked.resolve();
      return new Promise((_, reject) =>
        signal!.addEventListener('abort', () => reject(signal!.reason as Error)),
      );
    });
    const stream = app.agents.stream('poet', 'Hi', { runId: 'r7' });
    const output = stream.output();
    await asked.promise;

    expect(stream.runId).toBe('r7');
    expect(await app.agents.cancel('r7')).toBe(true);
    await expect(output).rejects.toBeInstanceOf(AgentAbortedException);
    expect(await app.agents.cancel('r7')).toBe(false);
  });
});
