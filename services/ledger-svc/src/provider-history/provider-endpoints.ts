import type { Database } from '@tallyport/database';
import { providerOperations as operations } from '@tallyport/management';
import { type ApiEndpoint, endpoint } from '@tallyport/management-server';
import { readHistory } from './read-history.ts';

export const providerEndpoints = ({ database }: { database: Database }): ApiEndpoint[] => [
  endpoint(operations.readProviderHistory, (input, { operator }) =>
    readHistory(database, { ...input, withAttempts: operator }),
  ),
];
