import type { Database } from '@tallyport/database';
import { auditOperations as operations } from '@tallyport/management';
import { type ApiEndpoint, endpoint } from '@tallyport/management-server';
import { readAudit } from './read-audit.ts';

export const auditEndpoints = ({ database }: { database: Database }): ApiEndpoint[] => [
  endpoint(operations.readAudit, (query, { accountId }) => readAudit(database, accountId, query)),
];
