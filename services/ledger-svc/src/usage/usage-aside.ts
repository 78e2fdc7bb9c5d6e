import { hash } from 'node:crypto';
import type { Unreadable } from '@tallyport/bus';
import { type UsageRecord, usageRecordSchema } from '@tallyport/contracts';
import { type Queries, sql } from '@tallyport/database';

const maxReasonLength = 500;
const page = 500;

/** Stores unreadable journal entries unchanged, each once, for a version that can write them. */
export async function addAside(queries: Queries, unreadable: readonly Unreadable[]): Promise<void> {
  const rows = unreadable.map(({ entry, error }) => ({
    id: hash('sha256', entry),
    entry: Buffer.from(entry),
    reason: String(error).replaceAll('\0', '').slice(0, maxReasonLength),
  }));
  await queries
    .insertInto('usage_aside')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * Passes the entries this version can read to `write`, which returns those it refused, and deletes the rest. Returns
 * the number of deleted entries.
 */
export async function retryAsideEntries(
  queries: Queries,
  write: (records: readonly UsageRecord[]) => Promise<ReadonlySet<UsageRecord>>,
): Promise<number> {
  let total = 0;
  for (let last: string | undefined = ''; last !== undefined;) {
    const rows = await queries
      .selectFrom('usage_aside')
      .select(['id', 'entry'])
      .where('id', '>', last)
      .orderBy('id')
      .limit(page)
      .execute();
    const readable = rows.flatMap(({ id, entry }) => readEntry(entry).map((record) => ({ id, record })));
    const refused = await write(readable.map(({ record }) => record));
    const written = readable.flatMap(({ id, record }) => (refused.has(record) ? [] : [id]));
    if (written.length > 0) await queries.deleteFrom('usage_aside').where('id', 'in', written).execute();
    total += written.length;
    last = rows.at(-1)?.id;
  }
  return total;
}

/** Entries are kept as long as individual records. */
export const dropAsideBefore = (queries: Queries, date: Date): Promise<unknown> =>
  sql`delete from usage_aside where at < ${date.toISOString()}::timestamptz`.execute(queries);

function readEntry(entry: Uint8Array): UsageRecord[] {
  try {
    return [usageRecordSchema.parse(JSON.parse(Buffer.from(entry).toString()))];
  } catch {
    return [];
  }
}
