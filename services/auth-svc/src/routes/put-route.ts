import { isDeepStrictEqual } from 'node:util';
import { GatewayError, mostRoutes } from '@tallyport/contracts';
import type { Database, Queries } from '@tallyport/database';
import type { NamedRoute, RouteRecord } from '@tallyport/management';
import { recordAudit } from '@tallyport/management-server';
import { lockAccount } from '../database/lock-account.ts';
import { findNamedProject } from '../projects/find-named-project.ts';
import { newRoutesVersion } from '../database/new-routes-version.ts';
import type { RouteOwner } from './route-owner.ts';
import { routeColumns, routeOf, routeRecord } from './route-record.ts';

interface PutRoute {
  record: RouteRecord;
  /** Absent if the route already was as wanted. */
  change?: 'created' | 'changed';
}

/** Creates the route, or replaces the one of its name. */
export function putRoute(
  { kysely }: Database,
  { accountId, actor }: RouteOwner,
  { name, ...route }: NamedRoute,
): Promise<PutRoute> {
  return kysely.transaction().execute(async (transaction) => {
    await lockAccount(transaction, accountId);
    const existing = await transaction
      .selectFrom('routes')
      .select(routeColumns)
      .where('account_id', '=', accountId)
      .where('name', '=', name)
      .executeTakeFirst();
    if (existing && isDeepStrictEqual(routeOf(existing), route)) return { record: routeRecord(existing) };
    if (existing === undefined) await checkCount(transaction, accountId);
    if (route.shadow !== undefined) await checkPayer(transaction, accountId, route.shadow.project);
    const definition = JSON.stringify(route);
    const keepsShares = existing !== undefined && isDeepStrictEqual(routeOf(existing).targets, route.targets);
    const row = await transaction
      .insertInto('routes')
      .values({ account_id: accountId, name, definition })
      .onConflict((conflict) =>
        conflict.columns(['account_id', 'name']).doUpdateSet(({ fn }) => {
          const now = fn<Date>('now');
          return { definition, updated_at: now, ...(!keepsShares && { shares_since: now }) };
        }),
      )
      .returning(routeColumns)
      .executeTakeFirstOrThrow();
    await newRoutesVersion(transaction, accountId);
    const change = existing === undefined ? 'created' : 'changed';
    const detail = { name, ...route };
    await recordAudit(transaction, { accountId, actor, action: `route.${change}`, subject: name, detail });
    return { record: routeRecord(row), change };
  });
}

async function checkCount(transaction: Queries, accountId: string): Promise<void> {
  const routes = transaction.selectFrom('routes').select('name').where('account_id', '=', accountId);
  if ((await routes.execute()).length < mostRoutes) return;
  throw new GatewayError(
    'conflict',
    `An account can have at most ${mostRoutes} routes. Delete one that is no longer used.`,
  );
}

async function checkPayer(transaction: Queries, accountId: string, project: string): Promise<void> {
  if ((await findNamedProject(transaction, { accountId, project })) !== undefined) return;
  const message = `The account has no project '${project}', which should pay for the shadow. Name one of GET /api/v1/projects.`;
  throw new GatewayError('invalid_parameters', message, { param: 'shadow.project' });
}
