import type { ErrorCount, Latency, UsageDimension } from '@tallyport/management';
import {
  barChart,
  type ChartSeries,
  countUnit,
  dollarUnit,
  type Html,
  lineChart,
  mostSeries,
  type Slot,
  timeUnit,
  type Unit,
} from '@tallyport/pages';
import { type RequestFilter, requestsAddress } from '../screen/request-links.ts';
import type { UsageGroup } from './groups.ts';
import { fullName, type Period, type PeriodPart, shortName } from './period.ts';
import type { Totals } from './totals.ts';

export type LatencyGroup = Latency & { group: string };

/** What all charts of the page have in common. */
export interface ChartPlace {
  base: string;
  period: Period;
  /** The filters of the page. */
  filter: RequestFilter;
}

export interface GroupedUsage {
  by: UsageDimension;
  groups: readonly UsageGroup[];
}

/** A chart of one number, stacked by group. Its bars lead to their requests. */
interface UsageChart {
  title: string;
  unit: Unit;
  valueOf(totals: Totals): number;
}

export const usageCharts: readonly UsageChart[] = [
  { title: 'Cost', unit: dollarUnit, valueOf: ({ cost }) => cost },
  { title: 'Requests', unit: countUnit, valueOf: ({ requests }) => requests },
  { title: 'Tokens', unit: countUnit, valueOf: ({ tokensIn, tokensOut }) => tokensIn + tokensOut },
];

export function usageChart(place: ChartPlace, { groups, by }: GroupedUsage, chart: UsageChart): Html {
  const stacks = stacksOf(groups);
  return barChart({
    ...frameOf(place, chart.title),
    unit: chart.unit,
    series: stacks.map(({ title, rest }) => ({ title, rest })),
    slots: place.period.parts.map((part) => ({
      ...slotOf(place, part),
      values: stacks.map(({ members }) => sum(members.map(({ parts }) => valueIn(parts.get(part.at), chart)))),
      ...hrefsOf(place, () =>
        stacks.map(({ rest, members: [only] }) =>
          rest || !only?.id ? undefined : addressOf(place, part, { [by]: only.id }),
        ),
      ),
    })),
    empty: 'There was none in this period.',
  });
}

const valueIn = (totals: Totals | undefined, { valueOf }: UsageChart): number => (totals ? valueOf(totals) : 0);

/** The groups with a colour of their own; the rest are one stack. */
function stacksOf(groups: readonly UsageGroup[]): (ChartSeries & { rest: boolean; members: readonly UsageGroup[] })[] {
  const named = groups.filter(({ id }) => id !== undefined).slice(0, mostSeries);
  const others = groups.filter((group) => !named.includes(group));
  const stacks = named.map((group) => ({ title: group.title, rest: false, members: [group] }));
  return others.length === 0 ? stacks : [...stacks, { title: 'All others', rest: true, members: others }];
}

/** Errors by code. */
export function errorChart(place: ChartPlace, errors: readonly ErrorCount[]): Html {
  const codes = [...Map.groupBy(errors, ({ code }) => code)]
    .map(([code, own]) => ({ code, own, total: sum(own.map(({ requests }) => requests)) }))
    .toSorted((one, other) => other.total - one.total);
  const named = codes.slice(0, mostSeries);
  const others = codes.slice(mostSeries).flatMap(({ own }) => own);
  const countIn = (own: readonly ErrorCount[], { group }: PeriodPart): number =>
    sum(own.filter((each) => each.group === group).map(({ requests }) => requests));
  return barChart({
    ...frameOf(place, 'Errors by code'),
    unit: countUnit,
    series: [
      ...named.map(({ code }) => ({ title: code })),
      ...(others.length > 0 ? [{ title: 'All others', rest: true }] : []),
    ],
    slots: place.period.parts.map((part) => ({
      ...slotOf(place, part, { error: 'any' }),
      values: [...named.map(({ own }) => countIn(own, part)), ...(others.length > 0 ? [countIn(others, part)] : [])],
      ...hrefsOf(place, () => named.map(({ code }) => addressOf(place, part, { error: code }))),
    })),
    empty: 'There were no errors in this period.',
  });
}

const latencySeries = [
  { title: 'p50', valueOf: ({ durationMs }: Latency) => durationMs?.p50 },
  { title: 'p95', valueOf: ({ durationMs }: Latency) => durationMs?.p95 },
  { title: 'First token p50', valueOf: ({ firstByteMs }: Latency) => firstByteMs?.p50 },
];

/** How long requests took that a provider answered. */
export function latencyChart(place: ChartPlace, latencies: readonly LatencyGroup[]): Html {
  const byPart = new Map(latencies.map((latency) => [latency.group, latency]));
  return lineChart({
    ...frameOf(place, 'Latency'),
    unit: timeUnit,
    series: latencySeries.map(({ title }) => ({ title })),
    slots: place.period.parts.map((part) => ({
      ...slotOf(place, part),
      values: latencySeries.map(({ valueOf }) => valueOf(byPart.get(part.group) ?? {})),
    })),
    empty: 'No provider answered a request in this period.',
  });
}

const frameOf = ({ period: { unit } }: ChartPlace, title: string) => ({
  title,
  slotTitle: unit === 'hour' ? 'Hour (UTC)' : 'Day (UTC)',
});

const slotOf = (place: ChartPlace, part: PeriodPart, filter: RequestFilter = {}): Omit<Slot, 'values'> => ({
  label: shortName(part, place.period.unit),
  title: fullName(part, place.period.unit),
  href: addressOf(place, part, filter),
});

/** As many bars as have a link for each part. With more, a bar leads to its time: thousands of links are a megabyte. */
const mostLinkedBars = 45;

const hrefsOf = ({ period }: ChartPlace, hrefs: () => NonNullable<Slot['hrefs']>): Pick<Slot, 'hrefs'> =>
  period.parts.length > mostLinkedBars ? {} : { hrefs: hrefs() };

const addressOf = ({ base, filter }: ChartPlace, { from, to }: PeriodPart, more: RequestFilter): string =>
  requestsAddress(base, { from, to, ...filter, ...more });

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
