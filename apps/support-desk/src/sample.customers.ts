import type { Customer } from './customer.js';

export const SAMPLE_CUSTOMERS: readonly Customer[] = [
  {
    email: 'ada@example.com',
    name: 'Ada Marsh',
    plan: 'Business',
    status: 'active',
    memberSince: '2023-02-14',
  },
  { email: 'ben@example.com', name: 'Ben Okafor', plan: 'Team', status: 'locked', memberSince: '2024-07-01' },
  {
    email: 'chiara@example.com',
    name: 'Chiara Rossi',
    plan: 'Free',
    status: 'active',
    memberSince: '2026-01-20',
  },
  {
    email: 'dev@example.com',
    name: 'Dev Patel',
    plan: 'Team',
    status: 'suspended',
    memberSince: '2022-11-30',
  },
];
