import type { LoadedRoute } from '@tallyport/contracts';
import type { Database } from '@tallyport/database';
import type { RouteRecord } from '@tallyport/management';
import { storedLimits } from '../keys/stored-limits.ts';
import { findNamedProject } from '../projects/find-named-project.ts';
import { routeColumns, routeOf, routeRecord } from './route-record.ts';

/** Lists the routes by name. */
export async function listRoutes(database: Database, accountId: string): Promise<RouteRecord[]> {
  const rows = await routesOf(database, accountId).orderBy('name').execute();
  return rows.map(routeRecord);
}

/** Resolves with `undefined` if the account has no such route. */
export async function readRoute(
  database: Database,
  { accountId, name }: { accountId: string; name: string },
): Promise<RouteRecord | undefined> {
  const row = await routesOf(database, accountId).where('name', '=', name).executeTakeFirst();
  return row && routeRecord(row);
}

/** The routes for the services that follow them, with the projects that pay for their shadows. */
export async function loadRoutes(database: Database, accountId: string): Promise<Record<string, LoadedRoute>> {
  const rows = await routesOf(database, accountId).orderBy('name').execute();
  const routes: [string, LoadedRoute][] = rows.map((row) => [row.name, routeOf(row)]);
  const names = new Set(routes.flatMap(([, { shadow }]) => shadow?.project ?? []));
  const payers = new Map<string, Payer>();
  for (const project of names) {
    const found = await findNamedProject(database.kysely, { accountId, project });
    if (found !== undefined) payers.set(project, payerOf(found));
  }
  return Object.fromEntries(routes.map(([name, route]) => [name, withPayer(route, payers)]));
}

type Payer = NonNullable<NonNullable<LoadedRoute['shadow']>['payer']>;

function payerOf(project: NonNullable<Awaited<ReturnType<typeof findNamedProject>>>): Payer {
  const { budget } = storedLimits(project);
  return { projectId: project.id, ...(budget && { budget }) };
}

function withPayer(route: LoadedRoute, payers: ReadonlyMap<string, Payer>): LoadedRoute {
  const payer = payers.get(route.shadow?.project ?? '');
  return route.shadow === undefined || payer === undefined ? route : { ...route, shadow: { ...route.shadow, payer } };
}

const routesOf = ({ kysely }: Database, accountId: string) =>
  kysely.selectFrom('routes').select(routeColumns).where('account_id', '=', accountId);
