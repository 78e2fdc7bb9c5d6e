import { GatewayError } from '@tallyport/contracts';
import type { Database } from '@tallyport/database';
import { analyticsOperations as operations } from '@tallyport/management';
import { type ApiEndpoint, endpoint } from '@tallyport/management-server';
import { readSeries } from './read-series.ts';
import { readErrors, readLatency } from './read-tallies.ts';
import { createTopGroups } from './top-groups.ts';
import { usageQueryOf } from './usage-query.ts';

export function analyticsEndpoints({ database }: { database: Database }): ApiEndpoint[] {
  const tools = { database, topGroups: createTopGroups(database) };
  return [
    endpoint(operations.readUsageSeries, async ({ by, then_by: thenBy, top, model, provider, ...input }, caller) => {
      const { interval } = input;
      if (input.hours !== undefined && interval === 'day') throw noDays();
      const filtered = { ...usageQueryOf(input, caller), model, provider };
      const dimensions = [...new Set([by, thenBy].filter((name) => name !== undefined))];
      return { interval, points: await readSeries(tools, filtered, { interval, by: dimensions, top }) };
    }),
    endpoint(operations.readLatency, async ({ by, top, model, provider, ...input }, caller) => {
      const filtered = { ...usageQueryOf(input, caller), model, provider };
      return { by, ...(await readLatency(tools, filtered, { by, top })) };
    }),
    endpoint(operations.readErrors, async ({ by, model, provider, ...input }, caller) => ({
      by,
      errors: await readErrors(database, { ...usageQueryOf(input, caller), model, provider }, by),
    })),
  ];
}

const noDays = (): GatewayError =>
  new GatewayError('invalid_parameters', 'With hours, the interval must be hour or period.', { param: 'interval' });
