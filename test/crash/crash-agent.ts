import { setTimeout as pause } from 'node:timers/promises';
import {
  OperatorContext,
  type ConversationStore,
  type LlmMessage,
  type LlmRequest,
  type RunStore,
  type ScriptedStep,
} from '@nestor/core';
import { calls, scriptedAgent } from '../support/scripted-agent.js';
import type { Effect } from './effects.js';

/** Turns with tools; an answer without any follows. */
export const TURNS = 4;
const POISON_MS = 20;

export interface Witness {
  note(effect: Effect): void;
  /** Hears that a point is reached: `before:call:once:2`. */
  at(point: string): void;
}

export interface CrashAgentOptions extends Witness {
  /** Called in each turn: some of `keyed`, `once`, `pure`, and `paid`, which waits for a person. */
  readonly tools: readonly string[];
  /** Of a tool call at most, in ms. */
  readonly longestCallMs: number;
  readonly sessions: ConversationStore;
  readonly runs?: RunStore;
}

/** Asks for the run's tools in each turn. A run `poison-…` asks for a tool that ends its process. */
export function crashAgent({ note, at, tools, longestCallMs, sessions, runs }: CrashAgentOptions) {
  const tool =
    (name: string) =>
    async (_: never, { idempotencyKey: key = '', turnNumber }: OperatorContext): Promise<string> => {
      at(`before:call:${name}:${turnNumber}`);
      note({ kind: 'call', name, key });
      if (name === 'poison') await endProcess();
      if (longestCallMs > 0) await pause(Math.random() * longestCallMs);
      at(`after:call:${name}:${turnNumber}`);
      return key;
    };
  const names = ['keyed', 'once', 'pure', 'paid', 'poison'];
  return scriptedAgent({
    script: crashScript({ note, at }, tools),
    tools: Object.fromEntries(names.map((name) => [name, tool(name)])),
    metadata: {
      keyed: { effect: 'idempotent' },
      pure: { effect: 'pure' },
      paid: { approval: true },
      poison: { effect: 'pure' },
    },
    define: (builder) => builder.repeatedCallLimit(0),
    services: { sessions, ...(runs && { runs }) },
  }).agent;
}

/** Asks for the tools in each turn, with call ids of its own. */
export function crashScript({ note, at }: Witness, tools: readonly string[]) {
  return ({ messages }: LlmRequest): ScriptedStep => {
    const { runId, turn } = placeOf(messages);
    at(`before:model:${turn}`);
    note({ kind: 'call', name: 'model', key: `${runId}:${turn}` });
    at(`after:model:${turn}`);
    if (turn > TURNS) return { text: `done ${runId}` };
    const wanted = runId.startsWith('poison-') ? ['poison'] : tools;
    return calls(...wanted.map((name, index) => [name, {}, `${runId}/${turn}/${index}`] as const));
  };
}

/** In the midst of its work, as one that takes too much memory does. */
async function endProcess(): Promise<void> {
  await pause(POISON_MS);
  process.kill(process.pid, 'SIGKILL');
}

/** What a run is asked. */
export const questionOf = (runId: string): LlmMessage => ({ role: 'user', content: `go ${runId}` });

/** The id of the run that asked; undefined for other messages. */
export function runOfQuestion({ role, content }: LlmMessage): string | undefined {
  return role === 'user' ? (content ?? '').slice('go '.length) : undefined;
}

/** Which turn of which run is asked for: what stands before in the session does not count. */
function placeOf(messages: readonly LlmMessage[]): { readonly runId: string; readonly turn: number } {
  const start = messages.findLastIndex(({ role }) => role === 'user');
  const runId = messages[start] && runOfQuestion(messages[start]);
  const turn = 1 + messages.slice(start).filter(({ role }) => role === 'assistant').length;
  return { runId: runId ?? '', turn };
}
