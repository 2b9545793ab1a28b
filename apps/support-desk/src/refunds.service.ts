import { Injectable } from '@nestjs/common';
import { Operator } from '@nestor/agent';
import { z } from 'zod';

const refundInput = z.object({
  invoice: z
    .string()
    .regex(/^INV-\d{4}$/)
    .describe('The number on the invoice, e.g. INV-1042'),
  reason: z.string().trim().min(1).max(1_000).describe('Why the customer wants the money back'),
});

export interface Refund {
  readonly invoice: string;
  /** False if the invoice had been refunded before. */
  readonly refunded: boolean;
}

/** Pays back invoices; a real desk asks its payment provider here. */
@Injectable()
export class RefundsService {
  private readonly refunded = new Set<string>();

  @Operator({
    description:
      'Pays the amount of an invoice back to the customer. A person of the team approves it first.',
    input: refundInput,
    approval: true,
  })
  refundInvoice({ invoice }: z.infer<typeof refundInput>): Refund {
    const refunded = !this.refunded.has(invoice);
    this.refunded.add(invoice);
    return { invoice, refunded };
  }
}
