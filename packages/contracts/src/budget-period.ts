import type { Budget } from './budget.ts';

export interface BudgetPeriod {
  /** When it began; absent where everything ever spent counts. */
  readonly from?: Date;
  /** When the next one begins. */
  readonly until?: Date;
}

const dayMs = 86_400_000;

/** The period that `now` is in, by UTC: days, weeks from Monday, months of the calendar. */
export function budgetPeriod(period: Budget['period'], now: Date): BudgetPeriod {
  const year = now.getUTCFullYear();
  const month = now.getUTCMonth();
  const day = Date.UTC(year, month, now.getUTCDate());
  switch (period) {
    case 'day':
      return lasting(day, 1);
    case 'week':
      return lasting(day - ((now.getUTCDay() + 6) % 7) * dayMs, 7);
    case 'month':
      return { from: new Date(Date.UTC(year, month, 1)), until: new Date(Date.UTC(year, month + 1, 1)) };
    case 'total':
      return {};
    default:
      return period satisfies never;
  }
}

const lasting = (from: number, days: number): BudgetPeriod => ({
  from: new Date(from),
  until: new Date(from + days * dayMs),
});

const hourMs = 3_600_000;

/** The hour a record is counted in, as sums by hour are named by. */
export const hourOf = (at: Date): string => new Date(Math.floor(at.getTime() / hourMs) * hourMs).toISOString();
