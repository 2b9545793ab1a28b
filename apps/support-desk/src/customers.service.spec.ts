import { describe, expect, it } from 'vitest';
import { CustomersService } from './customers.service.js';

describe('CustomersService', () => {
  const customers = new CustomersService();

  it('finds a customer, however the address is capitalised', () => {
    expect(customers.lookupCustomer({ email: 'Ben@Example.com' })).toMatchObject({
      found: true,
      customer: { name: 'Ben Okafor', plan: 'Team', status: 'locked' },
    });
  });

  it('says so when nobody has that address', () => {
    expect(customers.lookupCustomer({ email: 'nobody@example.com' })).toEqual({
      found: false,
      email: 'nobody@example.com',
    });
  });
});
