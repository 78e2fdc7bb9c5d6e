import type { Database } from '@tallyport/database';
import { auditOperations as operations } from '@tallyport/management';
import { type AnyApiEndpoint, endpoint, streamEndpoint } from '@tallyport/management-server';
import { exportAudit } from './export-audit.ts';
import { readAudit } from './read-audit.ts';

export const auditEndpoints = ({ database }: { database: Database }): AnyApiEndpoint[] => [
  endpoint(operations.readAudit, (query, { accountId }) => readAudit(database, accountId, query)),
  streamEndpoint(operations.exportAudit, {
    pieces: (filter, { accountId }) => exportAudit(database, accountId, filter),
    fileName: ({ kind, search, from, to }) => ['audit', kind, search, from, to && 'to', to],
  }),
];
