import type { Principal } from '@switchyard/contracts';
import type { Database } from '@switchyard/database';
import { ownSums } from './own-sums.ts';
import { readTotal, readUsage } from './read-usage.ts';

const dayMs = 86_400_000;

/** `GET /v1/usage`: what a key used today and this month, by UTC, in the words of `/v1`. */
export async function ownUsage(database: Database, { accountId, keyId }: Principal, now: Date) {
  const today = new Date(Math.floor(now.getTime() / dayMs) * dayMs);
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
  const until = new Date(today.getTime() + dayMs);
  const since = async (from: Date) => {
    const question = { accountId, keyId, from, until };
    const [total, models] = [await readTotal(database, question), await readUsage(database, question, 'model')];
    return {
      from: from.toISOString(),
      ...ownSums(total),
      models: models.map(({ group, sums }) => ({ model: group, ...ownSums(sums) })),
    };
  };
  return { object: 'usage', key_id: keyId, today: await since(today), month: await since(month) };
}
