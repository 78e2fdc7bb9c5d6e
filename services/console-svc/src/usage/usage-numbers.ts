import { shareOf, totalOfNumbers, totalsOf } from '../analytics/totals.ts';
import { type Period, periodIn } from '../screen/period.ts';
import { apiPeriod, apiPeriodBefore, lengthOfPart, partsFrom, type PeriodPart } from '../screen/period-parts.ts';
import type { DashboardRequest } from '../screen/route.ts';

/** Whose usage it is. */
export interface UsageOwner {
  key?: string;
  project?: string;
  model?: string;
  provider?: string;
  /** The id of a user. */
  member?: string;
}

/** What is known of each day. */
interface DayTotals {
  cost: number;
  requests: number;
  failed: number;
}

/** A number of this month and of as many days of the month before, with its days. */
interface Trend {
  now: number | undefined;
  before: number | undefined;
  days: readonly (number | undefined)[];
}

/** The numbers of this month by UTC, and of as many days of the month before. */
export interface UsageNumbers {
  month: Period;
  /** The days of this month. */
  now: readonly DayTotals[];
  before: readonly DayTotals[];
  today: DayTotals;
  yesterday: DayTotals;
  /** The last thirty days, the oldest first. */
  days: readonly DayTotals[];
  p95: Trend;
  /** The share of requests. */
  failed: Trend;
}

const shownDays = 30;

/** The period of days that have to be read for the numbers of a month. */
export const daysOfMonths = (now: number) => {
  const month = periodIn({ period: 'month' }, now);
  return { month, days: daysUntil(month, now) };
};

interface Percentiles {
  /** Of the month, and of as many days of the month before. */
  now: number | undefined;
  before: number | undefined;
  byDay: ReadonlyMap<string, number | undefined>;
}

interface ReadUsage {
  /** By day; those without usage are missing. */
  totals: ReadonlyMap<string, DayTotals>;
  p95: Percentiles;
}

const noTotals: DayTotals = { cost: 0, requests: 0, failed: 0 };

/** The numbers of a month from its days. */
export function numbersOf({ month, days }: ReturnType<typeof daysOfMonths>, { totals, p95 }: ReadUsage): UsageNumbers {
  const of = (parts: readonly PeriodPart[]) => parts.map(({ group }) => totals.get(group) ?? noTotals);
  const [yesterday = noTotals, today = noTotals] = of(days.slice(-2));
  const [now, before, shown] = [of(month.parts), of(month.before), of(days.slice(-shownDays))];
  return {
    month,
    now,
    before,
    today,
    yesterday,
    days: shown,
    p95: { now: p95.now, before: p95.before, days: month.parts.map(({ group }) => p95.byDay.get(group)) },
    failed: { now: failedShare(now), before: failedShare(before), days: shown.map((day) => failedShare([day])) },
  };
}

/** Reads them from the sums by day. */
export async function readUsageNumbers(
  { ask }: Pick<DashboardRequest, 'ask'>,
  owner: UsageOwner,
  now: number,
): Promise<UsageNumbers> {
  const read = daysOfMonths(now);
  const { month, days } = read;
  const [series, latency] = await Promise.all([
    ask('readUsageSeries', { ...apiPeriod({ unit: 'day', parts: days }), ...owner, interval: 'day' }),
    ask('readLatency', { ...apiPeriod(month), ...apiPeriodBefore(month), ...owner, by: 'day' }),
  ]);
  return numbersOf(read, {
    totals: new Map(series.points.map((point) => [point.at.slice(0, 10), totalsOf(point)])),
    p95: {
      now: latency.total.durationMs?.p95,
      before: latency.before?.durationMs?.p95,
      byDay: new Map(latency.groups.map(({ group, durationMs }) => [group, durationMs?.p95])),
    },
  });
}

function failedShare(days: readonly DayTotals[]): number | undefined {
  const totalOf = (name: 'failed' | 'requests') => totalOfNumbers(days.map((day) => day[name]));
  return shareOf(totalOf('failed'), totalOf('requests'));
}

/** From the first day of the month before, or thirty days ago, until today. */
function daysUntil({ before, parts }: Period, now: number): readonly PeriodPart[] {
  const day = lengthOfPart('day');
  const end = Date.parse(parts.at(-1)?.to ?? '');
  const first = Math.min(Date.parse(before[0]?.from ?? ''), end - shownDays * day);
  return partsFrom(first, 'day', Math.round((end - first) / day)).filter(({ from }) => Date.parse(from) <= now);
}
