import type { DatabaseEvent } from '@tallyport/database';
import type { Kit } from '@tallyport/service-kit';

/** Logs the events of the database package. */
export function databaseEvents({ log }: Kit<unknown>): (event: DatabaseEvent) => void {
  return (event) => {
    switch (event.kind) {
      case 'connection_lost':
        return log.warn({ error: event.error }, 'database connection lost');
      case 'initialising':
        return log.info({ directory: event.directory }, 'setting up the embedded database');
      case 'lock_taken_over':
        return log.warn(
          { directory: event.directory, pid: event.pid },
          'data directory taken over from a dead process',
        );
      case 'newer_schema':
        return log.warn({ migrations: event.migrations }, 'a newer version has extended the database schema');
      default:
        return event satisfies never;
    }
  };
}
