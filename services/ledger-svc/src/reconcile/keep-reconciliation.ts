import { GatewayError, type Reconciliation } from '@tallyport/contracts';
import { type Database, sql } from '@tallyport/database';
import type { StoredReconciliation } from '@tallyport/management';
import { type ApiCaller, makeId, recordAudit } from '@tallyport/management-server';

/** Of an account, and of the installation. */
const mostKept = 100;

interface ReconciliationOwner {
  /** Absent for the installation's keys. */
  accountId?: string | undefined;
}

/** Written so that the index serves it: Postgres would read the results of all accounts for `is not distinct from`. */
const ownedBy = (accountId: string | undefined) =>
  accountId === undefined ? sql`account_id is null` : sql`account_id = ${accountId}`;

interface NewResult extends ReconciliationOwner {
  result: Reconciliation;
  /** Absent for the command. */
  caller?: Pick<ApiCaller, 'accountId' | 'actor'>;
}

/** Stores a result, and removes the oldest ones beyond a hundred. */
export async function keepReconciliation(
  { kysely }: Database,
  { accountId, result, caller }: NewResult,
): Promise<{ id: string }> {
  const id = makeId('reconciliation');
  await kysely.transaction().execute(async (transaction) => {
    await sql`insert into reconciliations (id, account_id, vendor, ratio, result)
      values (${id}, ${accountId ?? null}, ${result.vendor}, ${result.ratio}, ${JSON.stringify(result)}::jsonb)`.execute(
      transaction,
    );
    await sql`delete from reconciliations where id in (
      select id from reconciliations where ${ownedBy(accountId)}
      order by at desc, id desc offset ${mostKept})`.execute(transaction);
    if (caller !== undefined) await recordAudit(transaction, auditEntry(caller, { id, accountId, result }));
  });
  return { id };
}

function auditEntry(
  { accountId, actor }: NonNullable<NewResult['caller']>,
  { id, result: { vendor, from, to }, ...owner }: NewResult & { id: string },
) {
  const scope = owner.accountId === undefined ? 'installation' : 'account';
  return {
    accountId,
    actor,
    action: 'reconciliation.created',
    subject: id,
    detail: { vendor, from, to, scope },
  } as const;
}

interface ResultReader {
  accountId: string;
  /** Whether those of the installation are visible as well. */
  operator: boolean;
}

const visibleTo = ({ accountId, operator }: ResultReader) =>
  sql`(account_id = ${accountId} or (account_id is null and ${operator}::boolean))`;

interface ResultRow {
  id: string;
  account_id: string | null;
  at: Date;
  result: Reconciliation;
}

export async function listReconciliations(
  { kysely }: Database,
  { limit, ...reader }: ResultReader & { limit: number },
): Promise<StoredReconciliation[]> {
  const { rows } = await sql<ResultRow>`
    select id, account_id, at, result from reconciliations where ${visibleTo(reader)}
    order by at desc, id desc limit ${limit}`.execute(kysely);
  return rows.map(storedOf);
}

/** Throws `not_found` if there is none that the reader may see. */
export async function readReconciliation(
  { kysely }: Database,
  { id, ...reader }: ResultReader & { id: string },
): Promise<StoredReconciliation> {
  const { rows } = await sql<ResultRow>`
    select id, account_id, at, result from reconciliations where id = ${id} and ${visibleTo(reader)}`.execute(kysely);
  if (rows[0] === undefined)
    throw new GatewayError('not_found', 'This comparison does not exist. The newest hundred of an account are kept.');
  return storedOf(rows[0]);
}

const storedOf = ({ id, account_id, at, result }: ResultRow): StoredReconciliation => ({
  id,
  at: new Date(at).toISOString(),
  scope: account_id === null ? 'installation' : 'account',
  ...result,
});

/** The newest result of each vendor: of an account, or of the installation. */
export async function newestRatios(
  { kysely }: Database,
  { accountId }: ReconciliationOwner,
): Promise<{ vendor: string; ratio: number }[]> {
  const { rows } = await sql<{ vendor: string; ratio: number }>`
    select distinct on (vendor) vendor, ratio from reconciliations
    where ${ownedBy(accountId)} order by vendor, at desc, id desc limit 1000`.execute(kysely);
  return rows;
}
