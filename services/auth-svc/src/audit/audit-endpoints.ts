import type { Database } from '@switchyard/database';
import { auditOperations as operations } from '@switchyard/management';
import { type ApiEndpoint, endpoint } from '../api/operation.ts';
import { readAudit } from './read-audit.ts';

export const auditEndpoints = ({ database }: { database: Database }): ApiEndpoint[] => [
  endpoint(operations.readAudit, (query, { accountId }) => readAudit(database, accountId, query)),
];
