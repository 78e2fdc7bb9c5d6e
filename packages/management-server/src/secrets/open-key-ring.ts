import type { Database } from '@tallyport/database';
import { StartError } from '@tallyport/service-kit';
import { keyFile, makeKeyFile, readKeyFile } from './key-file.ts';
import { createKeyRing, type KeyRing } from './key-ring.ts';
import { readMasterKey } from './master-key.ts';

export interface MasterKeySources {
  readonly SECRETS_KEY: readonly string[] | undefined;
  readonly DATABASE_URL: string | undefined;
  readonly DATA_DIR: string;
}

/**
 * Opens the keys of SECRETS_KEY followed by the one stored next to an embedded database, which is created if there is
 * neither. `undefined` if Postgres is used without a key and none is needed yet.
 */
export async function openKeyRing(sources: MasterKeySources, database: Database): Promise<KeyRing | undefined> {
  const { SECRETS_KEY = [], DATABASE_URL, DATA_DIR } = sources;
  const configured = SECRETS_KEY.map(readMasterKey).filter((key) => key !== undefined);
  const kept = DATABASE_URL === undefined ? await readKeyFile(DATA_DIR) : undefined;
  const [first, ...others] = kept === undefined ? configured : [...configured, kept];
  if (first !== undefined) return createKeyRing([first, ...others]);
  if (!(await holdsSecrets(database))) {
    return DATABASE_URL === undefined ? createKeyRing([await makeKeyFile(DATA_DIR)]) : undefined;
  }
  throw new StartError(
    DATABASE_URL === undefined
      ? `The key of the stored secrets is missing: restore ${keyFile(DATA_DIR)}, or set SECRETS_KEY to its content. Nothing was changed.`
      : 'The database holds encrypted secrets: set SECRETS_KEY to the key they were encrypted with. Nothing was changed.',
  );
}

async function holdsSecrets({ kysely }: Database): Promise<boolean> {
  return (await kysely.selectFrom('secrets').select('id').limit(1).executeTakeFirst()) !== undefined;
}
