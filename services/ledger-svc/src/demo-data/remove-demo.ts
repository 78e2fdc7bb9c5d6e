import { type Database, type Queries, sql } from '@tallyport/database';
import { demoAccountId, recordAudit } from '@tallyport/management-server';
import { takeFromOffers } from '../usage/write-offer-hours.ts';
import { demoKeyPattern, demoUserPattern } from './demo-ids.ts';

const perKey = ['usage_records', 'usage_hours', 'usage_days', 'usage_tallies'];

/** Removes all demo data of all accounts and returns the number of requests. The audit log keeps its entries. */
export function removeDemo({ kysely }: Database): Promise<{ requests: number }> {
  return kysely.transaction().execute(async (transaction) => {
    const accounts = await transaction
      .selectFrom('api_keys')
      .select('account_id')
      .distinct()
      .where('id', 'like', demoKeyPattern)
      .execute();
    const requests = await takeFromHistory(transaction);
    for (const table of perKey)
      await sql`delete from ${sql.table(table)} where key_id like ${demoKeyPattern}`.execute(transaction);
    await transaction.deleteFrom('api_keys').where('id', 'like', demoKeyPattern).execute();
    await transaction.deleteFrom('users').where('id', 'like', demoUserPattern).execute();
    for (const { account_id: accountId } of accounts) await recordRemoval(transaction, accountId);
    await removeAccountUnlessUsed(transaction);
    return { requests };
  });
}

/** The history of providers has no keys: the calls of the demo are subtracted from it. */
async function takeFromHistory(transaction: Queries): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    with fresh as (select * from usage_records where key_id like ${demoKeyPattern}),
    ${takeFromOffers}
    select count(*) from fresh`.execute(transaction);
  for (const table of ['offer_hours', 'offer_latencies', 'provider_hours', 'offer_days'])
    await sql`delete from ${sql.table(table)} where attempts <= 0`.execute(transaction);
  await sql`delete from offer_histogram_days
    where not exists (select from unnest(latency) as attempts where attempts > 0)`.execute(transaction);
  return Number(rows[0]?.count ?? 0);
}

const recordRemoval = (transaction: Queries, accountId: string): Promise<void> =>
  recordAudit(transaction, { accountId, actor: 'operator', action: 'account.demo_data_removed', subject: accountId });

/** Members may have worked with the account of the demo. */
async function removeAccountUnlessUsed(transaction: Queries): Promise<void> {
  await sql`delete from accounts where id = ${demoAccountId}
    and not exists (select from usage_days where account_id = ${demoAccountId})
    and not exists (select from api_keys where account_id = ${demoAccountId})`.execute(transaction);
}
