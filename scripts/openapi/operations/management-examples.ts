import type { Example } from '../operation.ts';

/** Of operations that a fresh installation can do as they stand. */
export const managementExamples: Readonly<Record<string, Example>> = {
  createKey: {
    summary: 'A key for one team, with a limit and a budget',
    value: {
      name: 'search team',
      allowedModels: ['sandbox-chat'],
      limits: { requestsPerMinute: { chat: 120 } },
      budget: { amount: '25', period: 'month' },
    },
  },
  createAccount: {
    summary: 'An account and its first owner',
    value: { name: 'Search', ownerEmail: 'ada@example.com' },
  },
  createOAuthClient: { summary: 'A client that acts by itself', value: { name: 'Nightly report' } },
  invite: { summary: 'A colleague', value: { email: 'grace@example.com', role: 'admin' } },
};
