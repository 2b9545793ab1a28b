import { toolErrorText } from '../operators/tool-error.js';
import type { LlmMessage } from './llm-message.js';
import { isSound, repairMessage } from './message-repair.js';
import type { ToolCall } from './tool-call.js';

const NO_CALLS: readonly ToolCall[] = Object.freeze([]);

/** Stand-ins for results that nobody recorded; one per call, so that repeated repairs give the same objects. */
const missingResults = new WeakMap<ToolCall, LlmMessage>();

/**
 * A history that every provider accepts. Each assistant message with calls is followed at once by exactly one
 * result per call: late results move there, second ones and those of unknown calls go, and a call without any gets
 * a result with the code `outcome_unknown`. Tool names and arguments are made valid, messages without content go
 * (assistant, system) or say `(empty)` (user, tool).
 *
 * Gives the very same array when nothing is to be repaired; messages that need no repair keep their identity.
 */
export function repairHistory(messages: readonly LlmMessage[]): readonly LlmMessage[] {
  const flaw = firstFlaw(messages);
  return flaw === messages.length ? messages : rebuild(messages, flaw);
}

/** Index of the group or message where the first repair is needed; the number of messages if none is. */
function firstFlaw(messages: readonly LlmMessage[]): number {
  let index = 0;
  while (index < messages.length) {
    const message = messages[index];
    if (!message || message.role === 'tool' || !isSound(message)) return index;
    const calls = callsOf(message);
    if (calls.length > 0 && !areAnswered(calls, messages, index + 1)) return index;
    index += 1 + calls.length;
  }
  return index;
}

/** Whether the messages from `start` on are sound results of the calls, one each; their order is free. */
function areAnswered(calls: readonly ToolCall[], messages: readonly LlmMessage[], start: number): boolean {
  for (let i = 0; i < calls.length; i++) {
    const result = messages[start + i];
    if (result?.role !== 'tool' || !isSound(result)) return false;
    if (result.toolCallId !== calls[i]?.id) return areAnsweredInAnyOrder(calls, messages, start);
  }
  return true;
}

function areAnsweredInAnyOrder(
  calls: readonly ToolCall[],
  messages: readonly LlmMessage[],
  start: number,
): boolean {
  const results = messages.slice(start, start + calls.length);
  const answered = new Set(results.map((result) => result.toolCallId));
  return (
    results.every((result) => result.role === 'tool' && isSound(result)) &&
    calls.every((call) => answered.has(call.id))
  );
}

interface Group {
  readonly head: LlmMessage;
  readonly results: LlmMessage[];
}

function rebuild(messages: readonly LlmMessage[], flaw: number): readonly LlmMessage[] {
  const groups: Group[] = [];
  const open = new Map<string, Group>();
  for (let index = flaw; index < messages.length; index++) {
    const message = repairAt(messages, index);
    if (message?.role === 'tool') answer(open, message);
    else if (message) groups.push(openGroup(open, message));
  }
  const history = messages.slice(0, flaw);
  for (const group of groups) {
    history.push(group.head);
    appendResults(history, group);
  }
  return history;
}

function repairAt(messages: readonly LlmMessage[], index: number): LlmMessage | undefined {
  const message = messages[index];
  return message && repairMessage(message);
}

function openGroup(open: Map<string, Group>, head: LlmMessage): Group {
  const group: Group = { head, results: [] };
  for (const call of callsOf(head)) open.set(call.id, group);
  return group;
}

/** A result goes to the latest call of that id, unless that one has its result or there is none. */
function answer(open: Map<string, Group>, result: LlmMessage): void {
  const id = result.toolCallId ?? '';
  open.get(id)?.results.push(result);
  open.delete(id);
}

function appendResults(history: LlmMessage[], { head, results }: Group): void {
  history.push(...results);
  for (const call of callsOf(head)) {
    if (!results.some((result) => result.toolCallId === call.id)) history.push(missingResult(call));
  }
}

function missingResult(call: ToolCall): LlmMessage {
  let result = missingResults.get(call);
  if (!result) {
    const text = `No result of "${call.name}" was recorded: the call may or may not have taken effect.`;
    const content = toolErrorText('outcome_unknown', text);
    result = Object.freeze({ role: 'tool', content, toolCallId: call.id });
    missingResults.set(call, result);
  }
  return result;
}

function callsOf(message: LlmMessage): readonly ToolCall[] {
  return message.role === 'assistant' && message.toolCalls?.length ? message.toolCalls : NO_CALLS;
}
