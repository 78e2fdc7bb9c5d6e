import { type Database, sql } from '@tallyport/database';
import type { ConditionOf } from '@tallyport/management';
import { type AlertFindings, mostFindings } from './finding.ts';

/** A key that has expired is still found, until it is revoked, except one that had expired before the alert existed. */
export async function findExpiringKeys(
  { kysely }: Database,
  { accountId, since }: { accountId: string; since: Date },
  { key, days }: ConditionOf<'key_expiry'>,
): Promise<AlertFindings> {
  const { rows } = await sql<{ subject: string; name: string; value: number }>`
    select id as subject, name, extract(epoch from expires_at - now())::double precision / 86400 as value
    from api_keys where account_id = ${accountId} and revoked_at is null
      and expires_at <= now() + make_interval(days => ${days}::int) and expires_at > ${since.toISOString()}::timestamptz
      and (${key ?? null}::text is null or id = ${key ?? null})
    order by created_at, id limit ${mostFindings}`.execute(kysely);
  return {
    findings: rows.map((row) => ({ ...row, value: Math.round(row.value * 100) / 100, met: true })),
    absent: 'resolved',
  };
}
