import { endUserName, GatewayError } from '@tallyport/contracts';
import type { Database } from '@tallyport/database';
import { analyticsOperations as operations, hasRole, type UsageDimension } from '@tallyport/management';
import { type ApiCaller, type ApiEndpoint, endpoint } from '@tallyport/management-server';
import type { z } from 'zod';
import { type EndUserOf, endUserSince } from './end-user-relation.ts';
import type { FilteredUsage, GroupsOf } from './filtered-usage.ts';
import { readSeries } from './read-series.ts';
import { type Latencies, readErrors, readLatency, readLatencyOfTimes, readTotalLatency } from './read-tallies.ts';
import { type AnalyticsTools, createTopGroups } from './top-groups.ts';
import { isOfHours, spanOf, usageQueryOf } from './usage-query.ts';

export function analyticsEndpoints({ database }: { database: Database }): ApiEndpoint[] {
  const tools = { database, topGroups: createTopGroups(database) };
  return [
    endpoint(operations.readUsageSeries, async ({ by, then_by: thenBy, top, only, ...input }, caller) => {
      const { interval } = input;
      if (interval === 'day' && isOfHours(input)) throw noDays();
      const filtered = { ...filteredBy(input, caller), only: groupsIn(only, by) };
      const dimensions = [...new Set([by, thenBy].filter((name) => name !== undefined))];
      const [points, since] = await Promise.all([
        readSeries(tools, filtered, { interval, by: dimensions, top }),
        filtered.endUser && endUserSince(database, filtered.endUser, filtered),
      ]);
      return { interval, points, ...(since !== undefined && { since }) };
    }),
    endpoint(operations.readLatency, async ({ before_from: beforeFrom, before_to: beforeTo, ...input }, caller) => {
      const filtered = filteredBy(input, caller);
      const hasBefore = beforeFrom !== undefined || beforeTo !== undefined;
      const earlier = hasBefore ? { ...filtered, ...spanOf({ from: beforeFrom, to: beforeTo }) } : undefined;
      const [latencies, before] = await Promise.all([
        latenciesOf(tools, filtered, input),
        earlier && readTotalLatency(tools, earlier),
      ]);
      return { by: input.by, ...latencies, ...(before && { before }) };
    }),
    endpoint(operations.readErrors, async ({ by, ...input }, caller) => ({
      by,
      errors: await readErrors(database, filteredBy(input, caller), by),
    })),
  ];
}

type LatencyInput = Omit<z.output<typeof operations.readLatency.input>, 'before_from' | 'before_to'>;

type Filters = Parameters<typeof usageQueryOf>[0] & {
  model?: string | undefined;
  provider?: string | undefined;
  end_user?: string | undefined;
};

const filteredBy = ({ model, provider, end_user: name, ...input }: Filters, caller: ApiCaller): FilteredUsage => ({
  ...usageQueryOf(input, caller),
  model,
  provider,
  endUser: name === undefined ? undefined : endUserFor(name, caller),
});

/** Names of end users may be personal data. */
function endUserFor(name: string, caller: ApiCaller): EndUserOf {
  if (hasRole(caller, 'admin')) return { accountId: caller.accountId, name: endUserName(name) };
  throw new GatewayError('permission_denied', 'Only an admin sees the usage of an end user. Ask one.', {
    param: 'end_user',
  });
}

function latenciesOf(
  tools: AnalyticsTools,
  filtered: FilteredUsage,
  { by, top, only, interval, ...input }: LatencyInput,
): Promise<Latencies> {
  if (by === 'hour' || by === 'day') return readLatencyOfTimes(tools, filtered, by);
  if (interval === 'day' && isOfHours(input)) throw noDays();
  return readLatency(tools, filtered, { by, top, only: groupsIn(only, by), interval });
}

const mostGroups = 100;

function groupsIn(only: string | undefined, by: UsageDimension | undefined): GroupsOf | undefined {
  if (only === undefined) return undefined;
  if (by === undefined) throw wrongGroups('Send by together with only.');
  const groups = only.split(',');
  if (groups.length > mostGroups) throw wrongGroups(`only can have at most ${mostGroups} groups.`);
  return { by, groups };
}

const wrongGroups = (message: string): GatewayError =>
  new GatewayError('invalid_parameters', message, { param: 'only' });

const noDays = (): GatewayError =>
  new GatewayError('invalid_parameters', 'For a period of hours, the interval must be hour or period.', {
    param: 'interval',
  });
