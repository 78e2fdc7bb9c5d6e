import { type Database, sql } from '@switchyard/database';
import { clientOfKeyId } from '../oauth/client-key-id.ts';

export interface UseRecorder {
  /** Of a key, or of an OAuth client by what it goes by instead. */
  used(keyId: string): void;
  /** Writes down what is left. */
  stop(): Promise<void>;
}

const intervalMs = 30_000;
const mostKeys = 10_000;

/** When keys and OAuth clients were last used, to half a minute: a statement or two for all of an interval, never one per request. */
export function createUseRecorder({ kysely }: Database, onFailed: (error: unknown) => void): UseRecorder {
  let keyIds = new Set<string>();
  const timer = setInterval(() => void write(), intervalMs).unref();

  async function write(): Promise<void> {
    const used = [...keyIds];
    keyIds = new Set();
    try {
      await writeKeys(used.filter((keyId) => clientOfKeyId(keyId) === undefined));
      await writeClients(used.flatMap((keyId) => clientOfKeyId(keyId) ?? []));
    } catch (error) {
      onFailed(error);
    }
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
    used: (keyId) => void (keyIds.size < mostKeys && keyIds.add(keyId)),
    async stop() {
      clearInterval(timer);
      await write();
    },
  };
}

const now = sql<Date>`now()`;
