import type { Client } from '@tallyport/bus';
import type { authService } from '@tallyport/contracts';

export const recordChanges = ['created', 'changed', 'deleted'] as const;
type RecordChange = (typeof recordChanges)[number];

/** Routes have no id: a route of the same name takes the place of one. */
interface RouteName {
  name: string;
  accountId: string;
}

export interface ChangeEvents {
  keyCreated(keyId: string): void;
  keyRevoked(keyId: string): void;
  guardWebhookChanged(change: RecordChange, guardWebhookId: string): void;
  mcpServerChanged(change: RecordChange, mcpServerId: string): void;
  providerKeyChanged(change: RecordChange, providerKeyId: string): void;
  routeChanged(change: RecordChange, of: RouteName): void;
}

/** Notices to the replicas of every service, so that they drop cached data. */
interface Notices {
  keyRevoked(notice: { keyHash: string }): void;
  accountChanged(notice: { accountId: string }): void;
  mcpServersChanged(notice: { accountId: string }): void;
}

export const noticesOf = (client: Client<(typeof authService)['operations']>): Notices => ({
  keyRevoked: client.keyRevoked.publish,
  accountChanged: client.accountChanged.publish,
  mcpServersChanged: client.mcpServersChanged.publish,
});

/** Logs and announces changes. Call it after the change is committed. */
export interface Announce {
  keyCreated(keyId: string): void;
  keyRevoked(keyId: string, hashes: readonly string[]): void;
  /** The keys with these hashes were changed or revoked. */
  keysEnded(hashes: readonly string[]): void;
  accountChanged(accountId: string): void;
  guardWebhookChanged(change: RecordChange, of: { id: string; accountId: string }): void;
  mcpServerChanged(change: RecordChange, of: { id: string; accountId: string }): void;
  providerKeyChanged(change: RecordChange, of: { id: string; accountId: string }): void;
  routeChanged(change: RecordChange, of: RouteName): void;
}

export function createAnnounce(notices: Notices, events: ChangeEvents): Announce {
  const keysEnded = (hashes: readonly string[]): void => {
    for (const keyHash of hashes) notices.keyRevoked({ keyHash });
  };
  return {
    keyCreated: events.keyCreated,
    keyRevoked(keyId, hashes) {
      events.keyRevoked(keyId);
      keysEnded(hashes);
    },
    keysEnded,
    accountChanged: (accountId) => notices.accountChanged({ accountId }),
    guardWebhookChanged(change, { id, accountId }) {
      events.guardWebhookChanged(change, id);
      notices.accountChanged({ accountId });
    },
    mcpServerChanged(change, { id, accountId }) {
      events.mcpServerChanged(change, id);
      notices.accountChanged({ accountId });
      notices.mcpServersChanged({ accountId });
    },
    providerKeyChanged(change, { id, accountId }) {
      events.providerKeyChanged(change, id);
      notices.accountChanged({ accountId });
    },
    routeChanged(change, { name, accountId }) {
      events.routeChanged(change, { name, accountId });
      notices.accountChanged({ accountId });
    },
  };
}
