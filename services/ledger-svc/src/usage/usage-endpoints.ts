import type { Database } from '@tallyport/database';
import { usageOperations as operations } from '@tallyport/management';
import { type AnyApiEndpoint, endpoint, streamEndpoint } from '@tallyport/management-server';
import { exportUsage } from './export-usage.ts';
import { readTotal, readUsage } from './read-usage.ts';
import { dayMs, dayOf, daysText } from './days.ts';
import { spanOf, usageQueryOf } from './usage-query.ts';

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
    streamEndpoint(operations.exportUsage, {
      pieces: (input, caller) => exportUsage(database, usageQueryOf(input, caller)),
      fileName: ({ key, project, ...input }) => ['usage', key, project, ...daysText(spanOf(input))],
    }),
  ];
}
