import { type Queries, sql } from '@tallyport/database';
import { holdMs } from '../budgets/batch-hold.ts';
import type { WorkTools } from './work-tools.ts';

const renewEveryMs = 10_000;
/** Of one round. */
const mostRenewed = 50;

/** Sets again what batches hold, as their rows say, and releases what those hold that have ended. Returns whether there may be more. */
export async function renewHolds(tools: WorkTools): Promise<boolean> {
  const due = await claimDue(tools.database.kysely);
  const renewed = await Promise.allSettled(due.map((each) => renewHold(tools, each)));
  const failed = renewed.find((each) => each.status === 'rejected');
  if (failed !== undefined) tools.events.notWorked(failed.reason);
  return due.length === mostRenewed;
}

interface DueHold {
  id: string;
  keyId: string;
  amount: number;
  hasEnded: boolean;
}

/** Of a batch that is ending, only the lines that vendors have may still cost something. */
const atVendors = sql`(
  select coalesce(sum((line ->> 1)::bigint), 0)
  from vendor_batches join batch_parts part on part.batch_id = vendor_batches.batch_id and part.number = vendor_batches.part,
    jsonb_array_elements(part.estimates) as line
  where vendor_batches.batch_id = batches.id and vendor_batches.state <> 'over' and vendor_batches.lines @> (line -> 0))`;

/** A batch whose input is checked holds nothing yet, or what its check has set. What has ended is released at once. */
async function claimDue(queries: Queries): Promise<DueHold[]> {
  const { rows } = await sql<{ id: string; key_id: string; amount: string; has_ended: boolean }>`
    update batches set hold_at = now() + ${renewEveryMs} * interval '1 millisecond'
    where id in (
      select id from batches
      where hold_at is not null and state <> 'validating' and (hold_at <= now() or ended_at is not null)
      order by hold_at limit ${mostRenewed} for update skip locked
    )
    returning id, key_id, ended_at is not null as has_ended, case
      when ended_at is not null then 0
      when state = 'in_progress' then reserved
      else least(reserved, ${atVendors})
    end as amount`.execute(queries);
  return rows.map((row) => ({ id: row.id, keyId: row.key_id, amount: Number(row.amount), hasEnded: row.has_ended }));
}

async function renewHold({ database, budgets, callerOfKey }: WorkTools, due: DueHold): Promise<void> {
  const { id, keyId, amount, hasEnded } = due;
  const { caller } = await callerOfKey({ keyId });
  // Without its key, nothing knows the budgets: the hold ends by itself.
  if (caller !== null) await budgets.hold({ principal: caller.principal, id, amount, ttlMs: holdMs, isNew: false });
  if (hasEnded) await sql`update batches set hold_at = null where id = ${id}`.execute(database.kysely);
}
