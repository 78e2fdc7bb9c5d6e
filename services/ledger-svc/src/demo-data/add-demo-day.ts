import { GatewayError } from '@tallyport/contracts';
import type { Database } from '@tallyport/database';
import type { Ledger } from '../usage/keep-ledger.ts';
import { demoKeyPattern } from './demo-ids.ts';
import { dayOfTraffic } from './traffic/day-of-traffic.ts';

export interface DemoDay {
  accountId: string;
  seed: number;
  daysAgo: number;
}

/** Writes one day of traffic into a prepared account and returns the number of its requests. */
export async function addDemoDay(
  { database, ledger, now }: { database: Database; ledger: Pick<Ledger, 'write'>; now: Date },
  { accountId, seed, daysAgo }: DemoDay,
): Promise<{ requests: number }> {
  const keys = await database.kysely
    .selectFrom('api_keys')
    .select(['id', 'name'])
    .where('account_id', '=', accountId)
    .where('id', 'like', demoKeyPattern)
    .execute();
  if (keys.length === 0) throw new GatewayError('not_found', `The account ${accountId} has no keys of the demo.`);
  const keyIds = new Map(keys.map(({ id, name }) => [name, id]));
  const records = dayOfTraffic({ accountId, keyIds, seed, daysAgo, now });
  await ledger.write(records);
  return { requests: records.length };
}
