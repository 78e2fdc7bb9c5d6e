import { type Queries, type Row, sql } from '@tallyport/database';
import { batchOf, type StoredBatch } from '../batches/stored-batches.ts';
import type { LineAmounts } from '../budgets/line-estimates.ts';
import { type InputPart, inputPartOf } from '../lines/input-part.ts';
import { leaseEnd } from './lease.ts';

/** A part that this replica has, and its batch as it was then. */
export interface HeldPart extends InputPart {
  batch: StoredBatch;
  number: number;
  tries: number;
  /** What its lines may cost. */
  amounts: LineAmounts;
  holder: string;
}

/** Of a batch: a vendor may have some of its lines. Before it ends, they are settled. */
export const hasVendorBatches = sql<boolean>`exists (
  select 1 from vendor_batches where batch_id = batches.id and vendor_batches.state <> 'over')`;

const isRunning = sql<boolean>`state = 'in_progress' and expires_at > now()`;

/** Batches whose parts are looked at. */
const mostBatches = 1_000;
/** Parts of one account that a replica runs at once. */
export const mostPartsOfAccount = 12;

/**
 * Takes a part of the batch that has waited longest, of the account that has the fewest parts here: `accounts` has one for
 * each of them. Of a batch that is ending, only parts of which a vendor has lines. `undefined` if none is to be run now.
 */
export async function claimPart(
  queries: Queries,
  holder: string,
  accounts: readonly string[],
): Promise<HeldPart | undefined> {
  const here = sql`(select count(*) from jsonb_array_elements_text(${JSON.stringify(accounts)}::text::jsonb) as held (account)
    where account = batches.account_id)`;
  const { rows } = await sql<Row<'batch_parts'>>`
    with found as materialized (
      select part.batch_id, part.number from (
        select id, ${isRunning} as runs from batches
        where ended_at is null and (${isRunning} or ${hasVendorBatches}) and ${here} < ${mostPartsOfAccount}
        order by ${here}, claimed_at limit ${mostBatches}
      ) batch cross join lateral (
        select batch_id, number from batch_parts
        where batch_id = batch.id and not done and not_before <= now()
          and (lease_until is null or lease_until < now())
          and (batch.runs or exists (
            select 1 from vendor_batches
            where vendor_batches.batch_id = batch.id and vendor_batches.part = number and vendor_batches.state <> 'over'))
        order by tries, number limit 1 for update skip locked
      ) part limit 1
    )
    update batch_parts set holder = ${holder}, lease_until = ${leaseEnd}
    from found
    where batch_parts.batch_id = found.batch_id and batch_parts.number = found.number
    returning batch_parts.*`.execute(queries);
  const [row] = rows;
  if (row === undefined) return undefined;
  const batch = await queries
    .updateTable('batches')
    .set({ claimed_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', row.batch_id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return {
    batch: batchOf(batch),
    ...inputPartOf(row),
    number: row.number,
    tries: row.tries,
    amounts: new Map(row.estimates as [number, number][]),
    holder,
  };
}

/** Only what vendors have of its batch is settled. */
export const hasEnded = ({ batch }: HeldPart): boolean =>
  batch.state !== 'in_progress' || batch.expiresAt <= new Date();

/** `lost`: another replica has the part. `ending`: no further lines of its batch are begun. */
type PartLease = 'held' | 'ending' | 'lost';

export async function renewLease(queries: Queries, part: HeldPart): Promise<PartLease> {
  const { rows } = await sql<{ runs: boolean }>`
    update batch_parts set lease_until = ${leaseEnd}
    from batches
    where ${isHeld(part)} and batches.id = batch_parts.batch_id
    returning batches.state = 'in_progress' and batches.expires_at > now() as runs`.execute(queries);
  const [row] = rows;
  if (row === undefined) return 'lost';
  return row.runs ? 'held' : 'ending';
}

/**
 * Locks the part until the transaction ends, if it is still held. Its batch is locked before it, as when both are deleted: in
 * the other order each would wait for the other.
 */
export async function lockPart(queries: Queries, part: HeldPart): Promise<boolean> {
  await sql`select 1 from batches where id = ${part.batch.id} for key share`.execute(queries);
  const { rows } = await sql`select 1 from batch_parts where ${isHeld(part)} for update`.execute(queries);
  return rows.length > 0;
}

/** Longer than a statement that takes a part. */
const closedMs = 60_000;

/** Takes the parts of a batch from all replicas: no result is stored any more, also not by one that was suspended. */
export async function closeParts(queries: Queries, batchId: string): Promise<void> {
  await sql`update batch_parts set holder = null, lease_until = null,
      not_before = now() + ${closedMs} * interval '1 millisecond'
    where batch_id = ${batchId} and not done`.execute(queries);
}

/** How a part is left. Without any progress, a provider has failed, or what only time mends was in the way. */
export type LeftPart = { done: true } | { pauseMs: number; progress: 'some' | 'failed' | 'none' };

/** What only time mends does not count as failures of a provider: the tries that follow take a quarter of an hour, too. */
const mostWaits = 8;

const triesAfter = {
  some: sql`0`,
  failed: sql`tries + 1`,
  none: sql`least(tries + 1, ${mostWaits})`,
} as const;

/** Leaves the part: all of its lines have ended, or it is taken up again after a pause. */
export async function leavePart(queries: Queries, part: HeldPart, left: LeftPart): Promise<void> {
  const change =
    'done' in left
      ? sql`done = true`
      : sql`tries = ${triesAfter[left.progress]}, not_before = now() + ${left.pauseMs} * interval '1 millisecond'`;
  await sql`update batch_parts set holder = null, lease_until = null, ${change} where ${isHeld(part)}`.execute(queries);
}

const isHeld = ({ batch, number, holder }: HeldPart) => sql<boolean>`batch_parts.batch_id = ${batch.id}
  and batch_parts.number = ${number} and batch_parts.holder = ${holder}`;
