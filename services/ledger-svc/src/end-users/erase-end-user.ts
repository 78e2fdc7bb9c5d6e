import { endUserName, erasedEndUser } from '@tallyport/contracts';
import { type Database, type Queries, sql } from '@tallyport/database';
import { type ApiCaller, recordAudit } from '@tallyport/management-server';
import { inPortions } from '../usage/delete-in-portions.ts';
import { addToEndUserSums, type EndUserTable, endUserTables } from '../usage/end-user-sums.ts';

/**
 * Replaces the name of an end user in the records and sums of the caller's account, and returns the number of records. The
 * audit log has no name either. Records that arrive later have it again.
 */
export async function eraseEndUser(
  { kysely }: Database,
  { accountId, actor }: ApiCaller,
  endUser: string,
): Promise<number> {
  const erased = { accountId, name: endUserName(endUser) };
  const records = await eraseRecords(kysely, erased);
  await kysely.transaction().execute(async (transaction) => {
    for (const table of endUserTables) await eraseSums(transaction, table, erased);
    await sql`delete from end_users where account_id = ${accountId} and end_user = ${erased.name}`.execute(transaction);
    const detail = { records };
    await recordAudit(transaction, { accountId, actor, action: 'end_user.erased', subject: accountId, detail });
  });
  return records;
}

interface ErasedEndUser {
  accountId: string;
  name: string;
}

async function eraseRecords(queries: Queries, { accountId, name }: ErasedEndUser): Promise<number> {
  // Their name stays, so that there would always be more.
  if (name === erasedEndUser) return 0;
  return inPortions(async (most) => {
    const { numAffectedRows = 0n } = await sql`
      update usage_records set end_user = ${erasedEndUser} where (at, id) in (
        select at, id from usage_records where account_id = ${accountId} and end_user = ${name} limit ${most}
      )`.execute(queries);
    return numAffectedRows;
  });
}

async function eraseSums(queries: Queries, table: EndUserTable, { accountId, name }: ErasedEndUser): Promise<void> {
  const rows = sql`select account_id, ${erasedEndUser}, at, key_id, project_id, requests, tokens, cost, own_key_cost,
    failed, duration from erased
    order by at, key_id, project_id`;
  await sql`with erased as (
      delete from ${sql.table(table)} where account_id = ${accountId} and end_user = ${name} returning *
    ) ${addToEndUserSums(table, rows)}`.execute(queries);
}
