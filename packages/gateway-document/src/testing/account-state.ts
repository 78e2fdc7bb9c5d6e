import type { AccountState } from '../gateway-state.ts';

export const testedAt = '2026-11-23T10:00:00.000Z';

/** An account that has nothing. */
export const emptyAccount: AccountState = {
  account: { id: 'account_1', name: 'Search', createdAt: testedAt, providerKeyMode: 'own_first' },
  projects: [],
  projectMembers: new Map(),
  guardWebhooks: [],
  routes: [],
  keys: [],
  providerKeys: [],
  mcpServers: [],
  alerts: [],
  members: [],
  invitations: [],
  oauthClients: [],
};
