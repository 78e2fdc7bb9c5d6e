import { type Database, sql } from '@tallyport/database';
import type { BudgetClient, EstimatedBatch } from './budget-client.ts';
import { type LineAmounts, sumOfAmounts } from './line-estimates.ts';

/** A hold that is not set again is released after this time, also if no replica lives. */
export const holdMs = 60_000;

type HeldBatch = Pick<EstimatedBatch, 'id' | 'principal'>;

interface HoldTools {
  database: Database;
  budgets: BudgetClient;
}

/** Holds what the lines of a new batch may cost. Throws `budget_exceeded` if a budget does not allow it. */
export async function holdNew(
  { database, budgets }: HoldTools,
  { id, principal }: HeldBatch,
  amounts: LineAmounts,
): Promise<void> {
  const amount = sumOfAmounts(amounts.values());
  if (amount === 0) return;
  // If the batch is cancelled before it begins, the hold is released.
  await sql`update batches set hold_at = now() where id = ${id}`.execute(database.kysely);
  await budgets.hold({ principal, id, amount, ttlMs: holdMs, isNew: true });
}

/** Releases what a batch holds that could not be created. */
export const dropHold = ({ budgets }: HoldTools, { id, principal }: HeldBatch): Promise<void> =>
  budgets.hold({ principal, id, amount: 0, ttlMs: holdMs, isNew: false });
