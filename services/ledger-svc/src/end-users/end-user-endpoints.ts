import { endUserName } from '@tallyport/contracts';
import type { Database } from '@tallyport/database';
import { endUserOperations as operations } from '@tallyport/management';
import { type ApiEndpoint, endpoint } from '@tallyport/management-server';
import { daysIn, dayOf } from '../usage/days.ts';
import { spanOf, usageQueryOf } from '../usage/usage-query.ts';
import { eraseEndUser } from './erase-end-user.ts';
import { findEndUsers } from './find-end-users.ts';
import { listEndUsers } from './list-end-users.ts';
import { readEndUser } from './read-end-user.ts';

export const endUserEndpoints = ({ database }: { database: Database }): ApiEndpoint[] => [
  endpoint(operations.listEndUsers, async ({ limit, interval, latency, from, ...period }, caller) => {
    const now = new Date();
    const usageQuery = usageQueryOf({ ...period, from: from ?? startOfMonth(period.to, now) }, caller);
    return {
      ...daysIn(usageQuery),
      ...(await listEndUsers(database, usageQuery, { limit, now, byDay: interval === 'day', hasLatency: latency })),
    };
  }),
  endpoint(operations.findEndUsers, async (wanted, { accountId }) => ({
    endUsers: await findEndUsers(database, { ...wanted, accountId, now: new Date() }),
  })),
  endpoint(
    operations.readEndUser,
    async ({ end_user: name, before_from: from, before_to: to, ...days }, { accountId }) =>
      readEndUser(database, {
        accountId,
        endUser: endUserName(name),
        span: spanOf(days),
        before: from === undefined && to === undefined ? undefined : spanOf({ from, to }),
      }),
  ),
  endpoint(operations.eraseEndUser, async ({ endUser }, caller) => ({
    records: await eraseEndUser(database, caller, endUser),
  })),
];

const startOfMonth = (day: string | undefined, now: Date): string => `${(day ?? dayOf(now)).slice(0, 7)}-01`;
