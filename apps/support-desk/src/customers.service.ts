import { Injectable } from '@nestjs/common';
import { Operator } from '@nestor/agent';
import { z } from 'zod';
import { SAMPLE_CUSTOMERS } from './sample.customers.js';
import type { Customer } from './customer.js';

const lookupInput = z.object({ email: z.email().describe('The address the customer signs in with') });

export type CustomerLookup =
  { readonly found: true; readonly customer: Customer } | { readonly found: false; readonly email: string };

@Injectable()
export class CustomersService {
  private readonly byEmail = new Map(SAMPLE_CUSTOMERS.map((customer) => [customer.email, customer]));

  @Operator({
    description: 'Looks up the plan and the account status of a customer by mail address.',
    input: lookupInput,
    effect: 'pure',
  })
  lookupCustomer({ email }: z.infer<typeof lookupInput>): CustomerLookup {
    const customer = this.byEmail.get(email.toLowerCase());
    return customer ? { found: true, customer } : { found: false, email };
  }
}
