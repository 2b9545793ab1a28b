import { Injectable } from '@nestjs/common';
import { Operator } from '@nestor/agent';
import { z } from 'zod';

const ticketInput = z.object({
  subject: z.string().trim().min(1).max(200).describe('The problem in one line'),
  description: z.string().trim().min(1).max(5_000).describe('What happened, in the words of the customer'),
  email: z.email().optional().describe('Where to answer, if the customer gave an address'),
});

export type TicketRequest = z.infer<typeof ticketInput>;

export interface Ticket extends TicketRequest {
  /** `T-1001`, `T-1002`, … in the order of creation. */
  readonly id: string;
  readonly status: 'open';
}

const FIRST_NUMBER = 1001;

/** Keeps tickets in memory; a real desk puts its ticket system here. */
@Injectable()
export class TicketsService {
  private readonly tickets: Ticket[] = [];

  @Operator({
    description: 'Opens a support ticket that the team answers by mail.',
    input: ticketInput,
  })
  createTicket(request: TicketRequest): Ticket {
    const ticket: Ticket = { id: `T-${FIRST_NUMBER + this.tickets.length}`, status: 'open', ...request };
    this.tickets.push(ticket);
    return ticket;
  }

  @Operator({
    name: 'listTickets',
    description: 'Lists the support tickets, oldest first.',
    effect: 'pure',
  })
  list(): readonly Ticket[] {
    return this.tickets;
  }
}
