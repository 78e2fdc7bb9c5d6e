import type { Database } from '@tallyport/database';
import type { Secrets } from '../secrets/secrets.ts';
import { ensureDefaultAccount } from './ensure-default-account.ts';

/** Prepares schema, master key and default account. Every service that stores secrets does. */
export async function prepareStorage(database: Database, secrets: Pick<Secrets, 'prepare'>): Promise<void> {
  await database.migrate();
  // Before anything is written: nothing may change if the master key is a different one.
  await secrets.prepare(database);
  await ensureDefaultAccount(database);
}
