import { type Database, sql } from '@tallyport/database';

/** What happened to a key; times as ISO text, whose order is that of time. */
export interface ProviderKeyUse {
  usedAt: string;
  workedAt?: string;
  error?: { type: string; at: string };
}

/** Records a use, unless a later one is recorded already. */
export async function recordKeyUse(
  { kysely }: Database,
  id: string,
  { usedAt, workedAt, error }: ProviderKeyUse,
): Promise<void> {
  const isNewer = sql`${error?.at ?? null}::timestamptz > coalesce(last_error_at, '-infinity')`;
  await sql`
    update provider_keys set
      last_used_at = greatest(last_used_at, ${usedAt}::timestamptz),
      last_worked_at = greatest(last_worked_at, ${workedAt ?? null}::timestamptz),
      last_error = case when ${isNewer} then ${error?.type ?? null}::text else last_error end,
      last_error_at = case when ${isNewer} then ${error?.at ?? null}::timestamptz else last_error_at end
    where id = ${id}`.execute(kysely);
}
