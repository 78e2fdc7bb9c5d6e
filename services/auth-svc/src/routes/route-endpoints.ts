import { GatewayError } from '@tallyport/contracts';
import type { Database } from '@tallyport/database';
import { routeOperations as operations } from '@tallyport/management';
import { type ApiEndpoint, endpoint } from '@tallyport/management-server';
import type { Announce } from '../bus/announce.ts';
import { checkDefinition } from './check-definition.ts';
import { deleteRoute } from './delete-route.ts';
import { listRoutes, readRoute } from './list-routes.ts';
import { putRoute } from './put-route.ts';

interface RouteEndpointTools {
  database: Database;
  announce: Pick<Announce, 'routeChanged'>;
}

export const routeEndpoints = ({ database, announce }: RouteEndpointTools): ApiEndpoint[] => [
  endpoint(operations.listRoutes, async (_input, { accountId }) => ({ routes: await listRoutes(database, accountId) })),
  endpoint(
    operations.readRoute,
    async ({ name }, { accountId }) => (await readRoute(database, { accountId, name })) ?? noSuchRoute(),
  ),
  endpoint(operations.putRoute, async (route, caller) => {
    checkDefinition(route);
    const { record, change } = await putRoute(database, caller, route);
    if (change) announce.routeChanged(change, { name: route.name, accountId: caller.accountId });
    return record;
  }),
  endpoint(operations.deleteRoute, async ({ name }, caller) => {
    const deleted = (await deleteRoute(database, caller, name)) ?? noSuchRoute();
    announce.routeChanged('deleted', { name, accountId: caller.accountId });
    return deleted;
  }),
];

function noSuchRoute(): never {
  throw new GatewayError('not_found', 'This route does not exist. List all routes: GET /api/v1/routes');
}
