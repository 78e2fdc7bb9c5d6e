import type { Routes } from '@tallyport/contracts';
import type { Database } from '@tallyport/database';
import type { RouteRecord } from '@tallyport/management';
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

/** The routes for the services that follow them. */
export async function loadRoutes(database: Database, accountId: string): Promise<Routes> {
  const rows = await routesOf(database, accountId).orderBy('name').execute();
  return Object.fromEntries(rows.map((row) => [row.name, routeOf(row)]));
}

const routesOf = ({ kysely }: Database, accountId: string) =>
  kysely.selectFrom('routes').select(routeColumns).where('account_id', '=', accountId);
