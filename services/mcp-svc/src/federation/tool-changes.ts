import type { McpServer } from '@tallyport/contracts';
import type { Store } from '@tallyport/store';

/** A list that any replica found. */
interface FoundTools {
  accountId: string;
  server: Pick<McpServer, 'id'>;
  fingerprint: string;
}

interface ToolChangesOptions {
  store: Pick<Store, 'get' | 'set'>;
  announce(change: { accountId: string; serverId: string; fingerprint: string }): void;
}

/** Longer than clients hold a stream. */
const rememberedMs = 86_400_000;

/**
 * Announces lists that differ from the last one that any replica found. Without the store nothing is announced: clients
 * list their tools again from time to time.
 */
export function createToolChanges({ store, announce }: ToolChangesOptions): (found: FoundTools) => Promise<void> {
  return async ({ accountId, server: { id: serverId }, fingerprint }) => {
    const key = `mcp-tools:${serverId}`;
    const before = await store.get(key);
    const value = Buffer.from(fingerprint);
    if (before !== undefined && value.equals(before)) return;
    const stored = await store.set(key, value, rememberedMs);
    if (before !== undefined && stored === 'stored') announce({ accountId, serverId, fingerprint });
  };
}
