import { PostgresAdapter, PostgresDialect } from 'kysely';

/** Postgres without the migrator's lock of a session: `migrate.ts` takes a lock of a transaction. */
export class LocklessPostgresDialect extends PostgresDialect {
  override createAdapter(): PostgresAdapter {
    return new LocklessAdapter();
  }
}

class LocklessAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}
