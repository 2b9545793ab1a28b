import type { Article } from './article.js';

export const BILLING_ARTICLES: readonly Article[] = [
  {
    id: 'invoices',
    title: 'Find and download invoices',
    body: `
      Every payment creates an invoice in PDF form. You find all of them under Settings, then Billing, then "Invoices",
      back to the first month of the workspace; owners and billing managers can see this page, other members cannot. Use
      the arrow beside a row to download one invoice, or "Download year" to receive a ZIP file for your accountant. To
      have invoices mailed automatically, add up to three addresses under "Send invoices to". The company name, address
      and VAT number on an invoice are taken from "Billing details" at the moment it is issued. An invoice that has been
      issued cannot be altered; if a detail was wrong, correct it under "Billing details" and choose "Reissue", which
      cancels the old document and creates a corrected one with the same date. Purchase order numbers can be entered
      there as well. Customers on a yearly plan may pay by bank transfer within 30 days; all others pay by card or SEPA
      direct debit.`,
  },
  {
    id: 'refunds',
    title: 'Ask for a refund',
    body: `
      You may ask for your money back within 30 days of the first payment of a new plan, without giving a reason. Go to
      Settings, then Billing, open the payment in question and choose "Request refund". Only owners and billing managers
      see that button. Refunds go back to the card or bank account that paid; they take five to ten working days to show
      up on your statement, depending on your bank. Renewals can be refunded within 14 days, provided that nobody used
      the workspace after the renewal date. Seats that you removed in the middle of a period are not refunded but
      credited: the credit lowers the next bill. If you were charged twice, do not dispute the charge with your bank
      first, since a dispute blocks the account until it is settled; tell us the dates and amounts of both charges, and
      we return the second one the same day. Taxes are always refunded together with the amount they belong to.`,
  },
  {
    id: 'change-plan',
    title: 'Change or cancel your plan',
    body: `
      Harbor has three plans: Free for up to five members, Team at 8 euros per member and month, and Business at 14
      euros with single sign-on and audit logs. To upgrade, go to Settings, then Billing, and choose "Change plan". The
      new features work at once, and you pay only the difference for the days that are left in the current period. A
      downgrade takes effect at the end of the period that you have paid for; until then nothing changes. Before a
      downgrade Harbor lists what the smaller plan does not include, for instance members above the limit, and asks you
      to choose what is to stay. Switching from monthly to yearly billing saves two months. To cancel a subscription
      altogether, move to the Free plan: your pages remain readable, and members above the limit become viewers. Only
      owners and billing managers can change plans. Schools and charities receive half off the Team plan.`,
  },
];
