import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { AgentLoopService } from '@nestor/agent';
import type { AgentOutput } from '@nestor/core';
import { parseSupportQuestion } from './support-question.js';

export interface SupportAnswer {
  readonly answer: string;
  /** True if a person takes over from here. */
  readonly escalated: boolean;
}

const HANDED_OVER = 'I have passed your question on to our support team. A person will answer you here.';
const NEEDS_APPROVAL = 'I have asked our support team to approve this. It is done as soon as they have.';

@Controller('support')
export class SupportController {
  constructor(private readonly agents: AgentLoopService) {}

  @Post()
  @HttpCode(200)
  async ask(@Body() body: unknown): Promise<SupportAnswer> {
    const { message, session } = parseSupportQuestion(body);
    const output = await this.agents.run('customerSupport', message, { sessionId: session });
    return toAnswer(output);
  }
}

function toAnswer({ exitReason, content }: AgentOutput): SupportAnswer {
  switch (exitReason) {
    case 'exit_condition':
      return { answer: content || HANDED_OVER, escalated: true };
    case 'suspended':
      return { answer: content || NEEDS_APPROVAL, escalated: true };
    default:
      return { answer: content, escalated: false };
  }
}
