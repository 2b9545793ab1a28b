import { describe, expect, it } from 'vitest';
import { TicketsService } from './tickets.service.js';

describe('TicketsService', () => {
  it('numbers tickets from T-1001 and keeps what was asked', () => {
    const tickets = new TicketsService();
    const first = tickets.createTicket({ subject: 'Printer', description: 'It prints blank pages.' });
    const second = tickets.createTicket({
      subject: 'Fonts',
      description: 'Too small.',
      email: 'ada@example.com',
    });

    expect(first).toEqual({
      id: 'T-1001',
      status: 'open',
      subject: 'Printer',
      description: 'It prints blank pages.',
    });
    expect(second).toMatchObject({ id: 'T-1002', email: 'ada@example.com' });
    expect(tickets.list()).toEqual([first, second]);
  });
});
