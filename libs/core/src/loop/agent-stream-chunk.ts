import type { AgentOutput } from '../definition/agent-output.js';

/** What a streaming run sends. `done` is last; a run that fails has no `done`, its iteration throws. */
export type AgentStreamChunk =
  | { readonly type: 'token'; readonly text: string; readonly turnNumber: number }
  | {
      readonly type: 'tool_start';
      readonly toolName: string;
      readonly toolCallId: string;
      readonly turnNumber: number;
    }
  | {
      readonly type: 'tool_end';
      readonly toolName: string;
      readonly toolCallId: string;
      readonly success: boolean;
      readonly turnNumber: number;
    }
  | { readonly type: 'done'; readonly finalOutput: AgentOutput };
