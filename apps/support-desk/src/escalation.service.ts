import { Injectable } from '@nestjs/common';
import { Operator } from '@nestor/agent';
import { z } from 'zod';
import { TicketsService } from './tickets.service.js';

const escalationInput = z.object({
  reason: z.string().trim().min(1).max(1_000).describe('Why a person is needed'),
});

export interface Escalation {
  /** 1 is next. */
  readonly queuePosition: number;
  /** The id of the ticket that the person will work on. */
  readonly ticket: string;
}

@Injectable()
export class EscalationService {
  private readonly waiting: string[] = [];

  constructor(private readonly tickets: TicketsService) {}

  @Operator({
    description: 'Hands the conversation over to a human agent.',
    promptHint:
      'Use it as soon as the customer asks for a person, or when the help articles do not solve the problem.',
    input: escalationInput,
  })
  escalateToHuman({ reason }: z.infer<typeof escalationInput>): Escalation {
    const { id } = this.tickets.createTicket({
      subject: 'Customer asks for a human agent',
      description: reason,
    });
    return { queuePosition: this.waiting.push(id), ticket: id };
  }

  /** Gives a human agent the ticket that has waited longest; `undefined` if nobody waits. */
  takeNext(): string | undefined {
    return this.waiting.shift();
  }
}
