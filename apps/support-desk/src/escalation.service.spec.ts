import { describe, expect, it } from 'vitest';
import { EscalationService } from './escalation.service.js';
import { TicketsService } from './tickets.service.js';

describe('EscalationService', () => {
  it('opens a ticket with the reason and says how many are served before', () => {
    const tickets = new TicketsService();
    const escalation = new EscalationService(tickets);

    expect(escalation.escalateToHuman({ reason: 'Wants a person' })).toEqual({
      queuePosition: 1,
      ticket: 'T-1001',
    });
    expect(escalation.escalateToHuman({ reason: 'Legal question' })).toEqual({
      queuePosition: 2,
      ticket: 'T-1002',
    });
    expect(tickets.list().map(({ description }) => description)).toEqual([
      'Wants a person',
      'Legal question',
    ]);
  });

  it('serves those who waited longest first', () => {
    const escalation = new EscalationService(new TicketsService());
    escalation.escalateToHuman({ reason: 'first' });
    escalation.escalateToHuman({ reason: 'second' });

    expect(escalation.takeNext()).toBe('T-1001');
    expect(escalation.escalateToHuman({ reason: 'third' }).queuePosition).toBe(2);
    expect([escalation.takeNext(), escalation.takeNext(), escalation.takeNext()]).toEqual([
      'T-1002',
      'T-1003',
      undefined,
    ]);
  });
});
