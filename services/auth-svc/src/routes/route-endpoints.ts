import { type Catalogue, GatewayError, type Route } from '@tallyport/contracts';
import type { Database } from '@tallyport/database';
import { routeOperations as operations } from '@tallyport/management';
import { type ApiEndpoint, endpoint } from '@tallyport/management-server';
import { modelsWithPlaces } from '@tallyport/routes';
import type { Announce } from '../bus/announce.ts';
import { checkModels, type NamedModel } from '../models/check-models.ts';
import { routeNames } from '../models/route-names.ts';
import { checkDefinition } from './check-definition.ts';
import { deleteRoute } from './delete-route.ts';
import { listRoutes, readRoute } from './list-routes.ts';
import { putRoute } from './put-route.ts';

interface RouteEndpointTools {
  database: Database;
  announce: Pick<Announce, 'routeChanged'>;
  catalogue(): Promise<Catalogue>;
}

export const routeEndpoints = ({ database, announce, catalogue }: RouteEndpointTools): ApiEndpoint[] => [
  endpoint(operations.listRoutes, async (_input, { accountId }) => ({ routes: await listRoutes(database, accountId) })),
  endpoint(
    operations.readRoute,
    async ({ name }, { accountId }) => (await readRoute(database, { accountId, name })) ?? noSuchRoute(),
  ),
  endpoint(operations.putRoute, async (route, caller) => {
    checkDefinition(route);
    await checkModels(modelsOf(route), {
      catalogue,
      routes: () => routeNames(database, caller.accountId),
      mayNameRoutes: false,
    });
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

/** Without `:floor` or `:nitro`, which sort the offers of a model. */
const modelsOf = (route: Route): NamedModel[] =>
  modelsWithPlaces(route).map(({ path, model }) => ({
    param: path
      .map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`))
      .join('')
      .slice(1),
    model: model.replace(/:(?:floor|nitro)$/, ''),
  }));

function noSuchRoute(): never {
  throw new GatewayError('not_found', 'This route does not exist. List all routes: GET /api/v1/routes');
}
