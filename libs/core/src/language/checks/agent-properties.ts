import { MAX_DEADLINE_MS, MAX_TIMER_MS } from '../../definition/max-timer.js';
import type { AgentMemoryStrategy } from '../../memory/agent-memory-strategy.js';
import { readMemory } from './memory.reader.js';
import { readResponseFormat } from './response-format.reader.js';
import {
  orNull,
  readFlag,
  readNumber,
  textReader,
  timeReader,
  wholeReader,
  wordReader,
  type Reader,
} from './value-readers.js';

/** Properties of an agent whose value is fixed, by the names of the language. */
export interface FixedProperties {
  readonly model: string;
  readonly max_turns: number;
  readonly max_tool_concurrency: number | null;
  readonly temperature: number | null;
  readonly memory: AgentMemoryStrategy;
  readonly streaming: boolean;
  readonly streaming_buffer_capacity: number;
  /** In ms, as all times. */
  readonly tool_timeout: number;
  readonly max_tokens: number | null;
  readonly max_total_tokens: number | null;
  readonly deadline: number | null;
  readonly on_max_turns: 'throw' | 'finalize';
  readonly repeated_call_limit: number;
  readonly tool_result_limit: number;
  readonly response_format: Readonly<Record<string, unknown>> | null;
  readonly tools: 'all';
}

type Readers = { readonly [Name in keyof FixedProperties]: Reader<FixedProperties[Name]> };

export const READERS: Readers = {
  model: textReader('gpt-4o-mini'),
  max_turns: wholeReader(1),
  max_tool_concurrency: orNull(wholeReader(1)),
  temperature: orNull(readNumber),
  memory: readMemory,
  streaming: readFlag,
  streaming_buffer_capacity: wholeReader(1),
  tool_timeout: timeReader(MAX_TIMER_MS),
  max_tokens: orNull(wholeReader(1)),
  max_total_tokens: orNull(wholeReader(1)),
  deadline: orNull(timeReader(MAX_DEADLINE_MS)),
  on_max_turns: wordReader(['throw', 'finalize']),
  repeated_call_limit: wholeReader(0),
  tool_result_limit: wholeReader(100),
  response_format: orNull(readResponseFormat),
  tools: wordReader(['all']),
};

export function isFixedProperty(name: string): name is keyof FixedProperties {
  return Object.hasOwn(READERS, name);
}
