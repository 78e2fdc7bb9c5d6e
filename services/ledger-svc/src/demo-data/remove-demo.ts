import { type Database, type Queries, sql } from '@tallyport/database';
import { demoAccountId, recordAudit } from '@tallyport/management-server';
import { deleteInPortions, inPortions } from '../usage/delete-in-portions.ts';
import { takeFromOffers } from '../usage/write-offer-hours.ts';
import { demoKeyPattern, demoUserPattern } from './demo-ids.ts';

const perKey = ['usage_hours', 'usage_days', 'usage_tallies'];

/**
 * Removes all demo data of all accounts and returns the number of requests. The audit log keeps its entries. No statement
 * has more than a portion of the rows, and the keys are the last: after a failure, another removal goes on.
 */
export async function removeDemo({ kysely }: Database): Promise<{ requests: number }> {
  const demoKeys = await kysely.selectFrom('api_keys').select('id').where('id', 'like', demoKeyPattern).execute();
  let requests = 0;
  for (const { id } of demoKeys) {
    requests += await removeRecords(kysely, id);
    for (const table of perKey) await deleteInPortions(kysely, table, sql`key_id = ${id}`);
  }
  await removeEmptyHistory(kysely);
  await kysely.transaction().execute(async (transaction) => {
    const keys = await transaction
      .deleteFrom('api_keys')
      .where('id', 'like', demoKeyPattern)
      .returning('account_id')
      .execute();
    await transaction.deleteFrom('users').where('id', 'like', demoUserPattern).execute();
    for (const accountId of new Set(keys.map(({ account_id: id }) => id))) await recordRemoval(transaction, accountId);
    await removeAccountUnlessUsed(transaction);
  });
  return { requests };
}

/** The history of providers has no keys: the calls of the records are subtracted from it as they are deleted. */
const removeRecords = (queries: Queries, keyId: string): Promise<number> =>
  inPortions(async (most) => {
    const { rows } = await sql<{ count: string }>`
      with fresh as (
        delete from usage_records where (at, id) in (select at, id from usage_records where key_id = ${keyId} limit ${most})
        returning *
      ), ${takeFromOffers}
      select count(*) from fresh`.execute(queries);
    return Number(rows[0]?.count ?? 0);
  });

async function removeEmptyHistory(queries: Queries): Promise<void> {
  for (const table of ['offer_hours', 'offer_latencies', 'provider_hours', 'offer_days'])
    await deleteInPortions(queries, table, sql`attempts <= 0`);
  await deleteInPortions(
    queries,
    'offer_histogram_days',
    sql`not exists (select from unnest(latency) as attempts where attempts > 0)`,
  );
}

const recordRemoval = (transaction: Queries, accountId: string): Promise<void> =>
  recordAudit(transaction, { accountId, actor: 'operator', action: 'account.demo_data_removed', subject: accountId });

/** Members may have worked with the account of the demo. */
async function removeAccountUnlessUsed(transaction: Queries): Promise<void> {
  await sql`delete from accounts where id = ${demoAccountId}
    and not exists (select from usage_days where account_id = ${demoAccountId})
    and not exists (select from api_keys where account_id = ${demoAccountId})`.execute(transaction);
}
