import { type Database, DirectoryInUseError, openDatabase } from '@switchyard/database';
import { type Kit, StartError } from '@switchyard/service-kit';
import type { AuthConfig } from '../config.ts';
import { databaseEvents } from '../events.ts';

/** The database this configuration means; closed after all parts. A data directory in use stops the start with one sentence. */
export async function openConfiguredDatabase(
  kit: Kit<Pick<AuthConfig, 'DATA_DIR' | 'DATABASE_URL'>>,
): Promise<Database> {
  const { DATABASE_URL: url, DATA_DIR: directory } = kit.config;
  const log = databaseEvents(kit);
  try {
    const database = await openDatabase(url === undefined ? { directory, log } : { url, log });
    kit.onShutdown('database', () => database.close());
    return database;
  } catch (error) {
    if (error instanceof DirectoryInUseError) throw new StartError(error.message, { cause: error });
    throw error;
  }
}
