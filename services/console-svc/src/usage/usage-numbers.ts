import type { UsagePoint } from '@tallyport/management';
import { noTotals, shareOf, sumOf, type Totals, totalsOf } from '../analytics/totals.ts';
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
}

/** A number of this month and of as many days of the month before, with its days. */
interface Trend {
  now: number | undefined;
  before: number | undefined;
  days: readonly (number | undefined)[];
}

/** The numbers of this month by UTC, and of as many days of the month before. */
export interface UsageNumbers<Day extends DayTotals = DayTotals> extends MonthTotals<Day> {
  p95: Trend;
  /** The share of requests. */
  failed: Trend;
}

interface MonthTotals<Day extends DayTotals> {
  month: Period;
  /** The days of this month. */
  now: readonly Day[];
  before: readonly Day[];
  today: Day;
  yesterday: Day;
  /** The last thirty days, the oldest first. */
  days: readonly Day[];
}

const shownDays = 30;

/** The period of days that have to be read for the numbers of a month. */
export const daysOfMonths = (now: number) => {
  const month = periodIn({ period: 'month' }, now);
  return { month, days: daysUntil(month, now) };
};

/** The totals of a month by its days, of which those without usage are missing. */
export function monthTotals<Day extends DayTotals>(
  { month, days }: ReturnType<typeof daysOfMonths>,
  totals: ReadonlyMap<string, Day>,
  none: Day,
): MonthTotals<Day> {
  const of = (parts: readonly PeriodPart[]): Day[] => parts.map(({ group }) => totals.get(group) ?? none);
  const [yesterday = none, today = none] = of(days.slice(-2));
  return {
    month,
    now: of(month.parts),
    before: of(month.before),
    today,
    yesterday,
    days: of(days.slice(-shownDays)),
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
  const totals = monthTotals(read, totalsByDay(series.points), noTotals);
  const latencies = new Map(latency.groups.map(({ group, durationMs }) => [group, durationMs?.p95]));
  return {
    ...totals,
    p95: {
      now: latency.total.durationMs?.p95,
      before: latency.before?.durationMs?.p95,
      days: month.parts.map(({ group }) => latencies.get(group)),
    },
    failed: {
      now: failedShare(sumOf(totals.now)),
      before: failedShare(sumOf(totals.before)),
      days: totals.days.map(failedShare),
    },
  };
}

const failedShare = ({ failed, requests }: Totals): number | undefined => shareOf(failed, requests);

/** From the first day of the month before, or thirty days ago, until today. */
function daysUntil({ before, parts }: Period, now: number): readonly PeriodPart[] {
  const day = lengthOfPart('day');
  const end = Date.parse(parts.at(-1)?.to ?? '');
  const first = Math.min(Date.parse(before[0]?.from ?? ''), end - shownDays * day);
  return partsFrom(first, 'day', Math.round((end - first) / day)).filter(({ from }) => Date.parse(from) <= now);
}

const totalsByDay = (points: readonly UsagePoint[]): ReadonlyMap<string, Totals> =>
  new Map(points.map((point) => [point.at.slice(0, 10), totalsOf(point)]));
