import type { Budget } from './budget.ts';

interface BudgetPeriod {
  /** Start of the period; absent where all spending ever counts. */
  readonly from?: Date;
  /** Start of the next period. */
  readonly until?: Date;
}

const dayMs = 86_400_000;

/** The period that contains `now`, in UTC. Weeks start on Monday; months are calendar months. */
export function budgetPeriod(period: Budget['period'], now: Date): BudgetPeriod {
  const year = now.getUTCFullYear();
  const month = now.getUTCMonth();
  const day = Date.UTC(year, month, now.getUTCDate());
  switch (period) {
    case 'day':
      return periodOf(day, 1);
    case 'week':
      return periodOf(day - ((now.getUTCDay() + 6) % 7) * dayMs, 7);
    case 'month':
      return { from: new Date(Date.UTC(year, month, 1)), until: new Date(Date.UTC(year, month + 1, 1)) };
    case 'total':
      return {};
    default:
      return period satisfies never;
  }
}

const periodOf = (from: number, days: number): BudgetPeriod => ({
  from: new Date(from),
  until: new Date(from + days * dayMs),
});

const hourMs = 3_600_000;

/** The start of the hour in which a record is counted. Hourly sums are keyed by this text. */
export const hourOf = (at: Date): string => new Date(Math.floor(at.getTime() / hourMs) * hourMs).toISOString();
