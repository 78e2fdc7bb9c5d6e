import type { Database } from '@switchyard/database';
import { type ApiEndpoint, endpoint } from '../api/operation.ts';
import { auditOperations as operations } from './audit-operations.ts';
import { readAudit } from './read-audit.ts';

export const auditEndpoints = ({ database }: { database: Database }): ApiEndpoint[] => [
  endpoint(operations.readAudit, ({ limit, cursor }, { accountId }) =>
    readAudit(database, { accountId, limit, cursor }),
  ),
];
