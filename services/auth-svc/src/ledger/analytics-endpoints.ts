import type { Database } from '@switchyard/database';
import { analyticsOperations as operations } from '@switchyard/management';
import { type ApiEndpoint, endpoint } from '../api/operation.ts';
import { readSeries } from './read-series.ts';
import { readErrors, readLatency } from './read-tallies.ts';
import { usageQueryOf } from './usage-query.ts';

export const analyticsEndpoints = ({ database }: { database: Database }): ApiEndpoint[] => [
  endpoint(operations.readUsageSeries, async ({ interval, by, then_by: thenBy, model, provider, ...input }, caller) => {
    const filtered = { ...usageQueryOf(input, caller), model, provider };
    const dimensions = [...new Set([by, thenBy].filter((name) => name !== undefined))];
    return { interval, points: await readSeries(database, filtered, { interval, by: dimensions }) };
  }),
  endpoint(operations.readLatency, async ({ by, model, provider, ...input }, caller) => ({
    by,
    groups: await readLatency(database, { ...usageQueryOf(input, caller), model, provider }, by),
  })),
  endpoint(operations.readErrors, async ({ by, model, provider, ...input }, caller) => ({
    by,
    errors: await readErrors(database, { ...usageQueryOf(input, caller), model, provider }, by),
  })),
];
