import type { Database } from '@switchyard/database';

export interface UseRecorder {
  used(keyId: string): void;
  /** Writes down what is left. */
  stop(): Promise<void>;
}

const intervalMs = 30_000;
const mostKeys = 10_000;

/** When keys were last used, to half a minute: one statement for all keys of an interval, never one per request. */
export function createUseRecorder({ kysely }: Database, onFailed: (error: unknown) => void): UseRecorder {
  let keyIds = new Set<string>();
  const timer = setInterval(() => void write(), intervalMs).unref();

  async function write(): Promise<void> {
    if (keyIds.size === 0) return;
    const written = [...keyIds];
    keyIds = new Set();
    try {
      await kysely
        .updateTable('api_keys')
        .set((set) => ({ last_used_at: set.fn<Date>('now') }))
        .where('id', 'in', written)
        .execute();
    } catch (error) {
      onFailed(error);
    }
  }

  return {
    used: (keyId) => void (keyIds.size < mostKeys && keyIds.add(keyId)),
    async stop() {
      clearInterval(timer);
      await write();
    },
  };
}
