import { expect, it } from 'vitest';
import { RefundsService } from './refunds.service.js';

it('pays an invoice back once', () => {
  const refunds = new RefundsService();
  const request = { invoice: 'INV-1042', reason: 'Charged twice' };
  expect(refunds.refundInvoice(request)).toEqual({ invoice: 'INV-1042', refunded: true });
  expect(refunds.refundInvoice(request)).toEqual({ invoice: 'INV-1042', refunded: false });
});
