import { type Database, sql } from '@tallyport/database';
import { clientOfKeyId } from '@tallyport/management';
import { repeat } from '@tallyport/service-kit';

export interface UseRecorder {
  /** Records the use of a key, or of an OAuth client by its key id. */
  used(keyId: string): void;
  /** Stops the timer and writes pending uses. */
  stop(): Promise<void>;
}

const intervalMs = 30_000;
const maxKeys = 10_000;

/**
 * Records the last use of keys and OAuth clients to half a minute: one or two statements per interval, never one per
 * request. A failed write is reported and lost.
 */
export function createUseRecorder({ kysely }: Database, onFailed: (error: unknown) => void): UseRecorder {
  let keyIds = new Set<string>();
  const stopWriting = repeat({ everyMs: intervalMs, onFailed }, write);

  async function write(): Promise<void> {
    const used = [...keyIds];
    keyIds = new Set();
    await writeKeys(used.filter((keyId) => clientOfKeyId(keyId) === undefined));
    await writeClients(used.flatMap((keyId) => clientOfKeyId(keyId) ?? []));
  }

  async function writeKeys(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await kysely.updateTable('api_keys').set({ last_used_at: now }).where('id', 'in', ids).execute();
  }

  async function writeClients(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await kysely
      .updateTable('oauth_records')
      .set({ last_used_at: now })
      .where('model', '=', 'Client')
      .where('id', 'in', ids)
      .execute();
  }

  return {
    used: (keyId) => void (keyIds.size < maxKeys && keyIds.add(keyId)),
    async stop() {
      stopWriting();
      await write().catch(onFailed);
    },
  };
}

const now = sql<Date>`now()`;
