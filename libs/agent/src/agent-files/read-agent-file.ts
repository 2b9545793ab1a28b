import { readFileSync, statSync, type Stats } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { AgentException } from '@nestor/core';
import type { AgentFile } from './agent-file.js';

const UNREADABLE = 'unreadable_agent_file';
/** The largest file that is read, in bytes. */
const MOST_BYTES = 5 * 1024 * 1024;

/** @throws AgentException `unreadable_agent_file` for what is no file, is too large, is no UTF-8 or cannot be read. */
export async function readAgentFile(path: string): Promise<AgentFile> {
  try {
    checkKind(await stat(path));
    return { path, source: textOf(await readFile(path), path) };
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** As `readAgentFile`, for the start of an application, which waits for nothing. */
export function readAgentFileSync(path: string): AgentFile {
  try {
    checkKind(statSync(path));
    return { path, source: textOf(readFileSync(path), path) };
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** Before it is opened: a pipe would give nothing, and some devices no end. */
function checkKind(stats: Stats): void {
  if (!stats.isFile()) throw new Error('it is no regular file');
  if (stats.size > MOST_BYTES)
    throw new Error(`it has ${stats.size} bytes, and a file of agents may have ${MOST_BYTES}`);
}

/** A byte order mark stays in the text. */
function textOf(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new AgentException(`${path} is not UTF-8 text. Save it as UTF-8.`, { code: UNREADABLE });
  }
}

function unreadable(path: string, cause: unknown): AgentException {
  if (cause instanceof AgentException) return cause;
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new AgentException(`Cannot read ${path}: ${reason}.`, { code: UNREADABLE, cause });
}
