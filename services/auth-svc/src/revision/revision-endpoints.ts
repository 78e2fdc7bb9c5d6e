import type { Database } from '@tallyport/database';
import { revisionOperations as operations } from '@tallyport/management';
import { type AnyApiEndpoint, endpoint, readRevision } from '@tallyport/management-server';

export const revisionEndpoints = ({ database }: { database: Database }): AnyApiEndpoint[] => [
  endpoint(operations.readRevision, async () => ({ revision: await readRevision(database.kysely) })),
];
