import type { Database } from '@tallyport/database';
import { routeUsageOperations as operations } from '@tallyport/management';
import { type ApiEndpoint, endpoint } from '@tallyport/management-server';
import { readRouteUsage } from './read-route-usage.ts';

export const routeUsageEndpoints = ({ database }: { database: Database }): ApiEndpoint[] => [
  endpoint(operations.readRouteUsage, async (_input, { accountId }) => ({
    routes: await readRouteUsage(database, accountId),
  })),
];
