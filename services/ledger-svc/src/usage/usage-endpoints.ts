import { GatewayError } from '@tallyport/contracts';
import type { Database } from '@tallyport/database';
import { usageOperations as operations } from '@tallyport/management';
import { type AnyApiEndpoint, endpoint, streamEndpoint } from '@tallyport/management-server';
import { exportUsage } from './export-usage.ts';
import { readMemberUsage } from './read-member-usage.ts';
import { readTotal, readUsage } from './read-usage.ts';
import { daysIn, daysText } from './days.ts';
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
        ...daysIn(usageQuery),
        groupBy,
        groups: groups.map(({ group, sums }) => ({ group, ...sums })),
        total,
      };
    }),
    endpoint(operations.readMemberUsage, async ({ members, ...input }, caller) => {
      const usageQuery = usageQueryOf(input, caller);
      const userIds = members.split(',');
      if (userIds.length > mostMembers) throw tooManyMembers();
      return { ...daysIn(usageQuery), members: await readMemberUsage(database, usageQuery, userIds) };
    }),
    streamEndpoint(operations.exportUsage, {
      pieces: (input, caller) => exportUsage(database, usageQueryOf(input, caller)),
      fileName: ({ key, project, ...input }) => ['usage', key, project, ...daysText(spanOf(input))],
    }),
  ];
}

const mostMembers = 100;

const tooManyMembers = (): GatewayError =>
  new GatewayError('invalid_parameters', `members can have at most ${mostMembers} ids.`, { param: 'members' });
