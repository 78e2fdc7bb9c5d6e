import type { Database } from '@tallyport/database';
import { prepareStorage, type Secrets } from '@tallyport/management-server';
import { type BootstrapResult, ensureBootstrapKey } from './keys/bootstrap-key.ts';
import { type FirstOwnerOptions, prepareFirstOwner } from './enrolment/prepare-first-owner.ts';

interface PrepareOptions {
  database: Database;
  secrets: Pick<Secrets, 'prepare'>;
  bootstrapKey: string | undefined;
  onBootstrap: (result: BootstrapResult) => void;
  /** Creates the first owner; absent without pages. */
  firstOwner: FirstOwnerOptions | undefined;
}

/** Prepares the storage, the bootstrap key and the first owner. */
export async function prepareDatabase(options: PrepareOptions): Promise<void> {
  const { database, secrets, bootstrapKey, onBootstrap, firstOwner } = options;
  await prepareStorage(database, secrets);
  if (bootstrapKey !== undefined) onBootstrap(await ensureBootstrapKey(database, bootstrapKey));
  if (firstOwner) await prepareFirstOwner(database, firstOwner);
}
