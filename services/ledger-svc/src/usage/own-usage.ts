import type { Principal } from '@tallyport/contracts';
import type { Database } from '@tallyport/database';
import type { OwnUsage } from '@tallyport/endpoints';
import { ownSums } from '@tallyport/endpoints/key';
import { readTotal, readUsage } from './read-usage.ts';
import { dayMs } from './days.ts';

/** `GET /v1/usage`: the usage of a key today and this month, by UTC, with the member names of `/v1`. */
export async function ownUsage(database: Database, { accountId, keyId }: Principal, now: Date): Promise<OwnUsage> {
  const today = new Date(Math.floor(now.getTime() / dayMs) * dayMs);
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
  const until = new Date(today.getTime() + dayMs);
  const since = async (from: Date) => {
    const usageQuery = { accountId, keyId, from, until };
    const [total, models] = [await readTotal(database, usageQuery), await readUsage(database, usageQuery, 'model')];
    return {
      from: from.toISOString(),
      ...ownSums(total),
      models: models.map(({ group, sums }) => ({ model: group, ...ownSums(sums) })),
    };
  };
  return { object: 'usage', key_id: keyId, today: await since(today), month: await since(month) };
}
