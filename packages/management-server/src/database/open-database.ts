import {
  type Database,
  DirectoryInUseError,
  DirectoryUnusableError,
  openDatabase,
  type PostgresOptions,
} from '@tallyport/database';
import { type ConfigOf, type Kit, StartError, type stateConfig } from '@tallyport/service-kit';
import { databaseEvents } from './events.ts';

/**
 * Opens the configured database; it is closed after all parts. Throws StartError if another process uses the data
 * directory, or if this one cannot.
 */
export async function openConfiguredDatabase(
  kit: Kit<Pick<ConfigOf<typeof stateConfig>, 'DATA_DIR' | 'DATABASE_URL'>>,
  postgres?: Pick<PostgresOptions, 'maxConnections' | 'maxAside'>,
): Promise<Database> {
  const { DATABASE_URL: url, DATA_DIR: directory } = kit.config;
  const log = databaseEvents(kit);
  try {
    const database = await openDatabase(
      url === undefined ? { directory, log } : { url, log, ...(postgres && { postgres }) },
    );
    kit.onShutdown('database', () => database.close());
    return database;
  } catch (error) {
    if (error instanceof DirectoryInUseError || error instanceof DirectoryUnusableError) {
      throw new StartError(error.message, { cause: error });
    }
    throw error;
  }
}
