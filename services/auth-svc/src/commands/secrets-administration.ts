import { openDatabase } from '@tallyport/database';
import { StartError } from '@tallyport/service-kit';
import { checkMasterKey, type MasterKeySources, openKeyRing } from '@tallyport/management-server';
import { type ReencryptionResult, reencryptSecrets } from '../secrets/reencrypt.ts';

/** The operations on encrypted secrets. */
export interface SecretsAdministration {
  reencrypt(): Promise<ReencryptionResult>;
  close(): Promise<void>;
}

/** Works on the database itself. The configuration is read, and the database opened, only when needed. */
export const secretsAdministration = (read: () => MasterKeySources): SecretsAdministration => ({
  async reencrypt() {
    const sources = read();
    const { DATABASE_URL: url, DATA_DIR: directory } = sources;
    const database = await openDatabase(url === undefined ? { directory } : { url });
    try {
      await database.migrate();
      const ring = await openKeyRing(sources, database);
      if (ring === undefined)
        throw new StartError('SECRETS_KEY is not set. Generate a key: npm run secrets -- generate');
      await checkMasterKey(database, ring);
      return await reencryptSecrets(database, ring);
    } finally {
      await database.close();
    }
  },
  close: async () => {},
});
