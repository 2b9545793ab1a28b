import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { AgentLoopService } from '@nestor/agent';
import { parseSupportQuestion } from './support-question.js';

export interface SupportAnswer {
  readonly answer: string;
  /** True if a person takes over from here. */
  readonly escalated: boolean;
}

const HANDED_OVER = 'I have passed your question on to our support team. A person will answer you here.';

@Controller('support')
export class SupportController {
  constructor(private readonly agents: AgentLoopService) {}

  @Post()
  @HttpCode(200)
  async ask(@Body() body: unknown): Promise<SupportAnswer> {
    const { message, session } = parseSupportQuestion(body);
    const output = await this.agents.run('customerSupport', message, { sessionId: session });
    const escalated = output.exitReason === 'exit_condition';
    return { answer: output.content || (escalated ? HANDED_OVER : ''), escalated };
  }
}
