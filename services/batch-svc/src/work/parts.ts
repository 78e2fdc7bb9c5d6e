import { type Queries, type Row, sql } from '@tallyport/database';
import { batchOf, type StoredBatch } from '../batches/stored-batches.ts';

/** A part that this replica has, and its batch as it was then. */
export interface HeldPart {
  batch: StoredBatch;
  number: number;
  start: number;
  end: number;
  firstLine: number;
  lastLine: number;
  lines: number;
  tries: number;
  holder: string;
}

/** A replica that is killed holds its parts for so long. */
export const partLeaseMs = 15_000;
/** How often a lease is renewed. */
export const leasePauseMs = 2_000;

/** Of a batch: a vendor may have some of its lines. Before it ends, they are settled. */
export const hasVendorBatches = sql<boolean>`exists (
  select 1 from vendor_batches where batch_id = batches.id and vendor_batches.state <> 'over')`;

/** Batches whose parts are looked at. */
const mostBatches = 1_000;

/** Takes a part of the batch that has waited longest; `undefined` if none is to be run now. */
export async function claimPart(queries: Queries, holder: string): Promise<HeldPart | undefined> {
  const { rows } = await sql<Row<'batch_parts'>>`
    with found as materialized (
      select part.batch_id, part.number from (
        select id from batches
        where ended_at is null and ((state = 'in_progress' and expires_at > now()) or ${hasVendorBatches})
        order by claimed_at limit ${mostBatches}
      ) batch cross join lateral (
        select batch_id, number from batch_parts
        where batch_id = batch.id and not done and not_before <= now()
          and (lease_until is null or lease_until < now())
        order by tries, number limit 1 for update skip locked
      ) part limit 1
    )
    update batch_parts set holder = ${holder}, lease_until = now() + ${partLeaseMs} * interval '1 millisecond'
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
    number: row.number,
    start: Number(row.start_byte),
    end: Number(row.end_byte),
    firstLine: row.first_line,
    lastLine: row.last_line,
    lines: row.lines,
    tries: row.tries,
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
    update batch_parts set lease_until = now() + ${partLeaseMs} * interval '1 millisecond'
    from batches
    where ${isHeld(part)} and batches.id = batch_parts.batch_id
    returning batches.state = 'in_progress' and batches.expires_at > now() as runs`.execute(queries);
  const [row] = rows;
  if (row === undefined) return 'lost';
  return row.runs ? 'held' : 'ending';
}

/** Locks the part until the transaction ends, if it is still held. */
export async function lockPart(queries: Queries, part: HeldPart): Promise<boolean> {
  const { rows } = await sql`select 1 from batch_parts where ${isHeld(part)} for update`.execute(queries);
  return rows.length > 0;
}

/** Leaves the part: all of its lines have ended, or it is taken up again after a pause. */
export async function leavePart(
  queries: Queries,
  part: HeldPart,
  left: { done: true } | { pauseMs: number; progressed: boolean },
): Promise<void> {
  const change =
    'done' in left
      ? sql`done = true`
      : sql`tries = ${left.progressed ? sql`0` : sql`tries + 1`}, not_before = now() + ${left.pauseMs} * interval '1 millisecond'`;
  await sql`update batch_parts set holder = null, lease_until = null, ${change} where ${isHeld(part)}`.execute(queries);
}

const isHeld = ({ batch, number, holder }: HeldPart) => sql<boolean>`batch_parts.batch_id = ${batch.id}
  and batch_parts.number = ${number} and batch_parts.holder = ${holder}`;
