import { GatewayError } from '@switchyard/contracts';
import type { Database } from '@switchyard/database';
import { hasRole, usageOperations as operations } from '@switchyard/management';
import type { ApiCaller } from '../api/caller.ts';
import { type AnyApiEndpoint, endpoint, streamEndpoint } from '../api/operation.ts';
import { exportUsage } from './export-usage.ts';
import { readTotal, readUsage, type UsageQuery } from './read-usage.ts';

const dayMs = 86_400_000;
const defaultDays = 30;
const maxDays = 400;

export function usageEndpoints({ database }: { database: Database }): AnyApiEndpoint[] {
  return [
    endpoint(operations.readUsage, async ({ group_by: groupBy, ...input }, caller) => {
      const usageQuery = usageQueryOf(input, caller);
      const [groups, total] = await Promise.all([
        readUsage(database, usageQuery, groupBy),
        readTotal(database, usageQuery),
      ]);
      return {
        from: dayOf(usageQuery.from),
        to: dayOf(new Date(usageQuery.until.getTime() - dayMs)),
        groupBy,
        groups: groups.map(({ group, sums }) => ({ group, ...sums })),
        total,
      };
    }),
    streamEndpoint(operations.exportUsage, (input, caller) => exportUsage(database, usageQueryOf(input, caller))),
  ];
}

interface UsagePeriod {
  from?: string | undefined;
  to?: string | undefined;
  key?: string | undefined;
}

function usageQueryOf({ from: first, to: last, key }: UsagePeriod, caller: ApiCaller): UsageQuery {
  const to = startOf(last ?? dayOf(new Date()));
  const from = first === undefined ? to - (defaultDays - 1) * dayMs : startOf(first);
  const days = (to - from) / dayMs + 1;
  if (days < 1) throw wrongPeriod('from must not be after to.');
  if (days > maxDays) throw wrongPeriod(`from and to must be at most ${maxDays} days apart.`);
  return {
    accountId: caller.accountId,
    keyId: key,
    userId: hasRole(caller, 'admin') ? undefined : (caller.userId ?? ''),
    from: new Date(from),
    until: new Date(to + dayMs),
  };
}

const startOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);

const dayOf = (date: Date): string => date.toISOString().slice(0, 10);

const wrongPeriod = (message: string): GatewayError =>
  new GatewayError('invalid_parameters', message, { param: 'from' });
