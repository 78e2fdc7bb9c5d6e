import type { Database } from '@tallyport/database';
import { routeUsageOperations as operations } from '@tallyport/management';
import { type ApiEndpoint, endpoint } from '@tallyport/management-server';
import { visibleRequests } from '../requests/request-scope.ts';
import { readRouteUsage } from './read-route-usage.ts';

export const routeUsageEndpoints = ({ database }: { database: Database }): ApiEndpoint[] => [
  endpoint(operations.readRouteUsage, async (_input, caller) => ({
    routes: await readRouteUsage(database, await visibleRequests(database, caller)),
  })),
];
