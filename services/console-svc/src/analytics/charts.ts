import type { ErrorCount, Latency, UsageDimension } from '@tallyport/management';
import {
  barChart,
  type Chart,
  type ChartSeries,
  chooser,
  countUnit,
  dollarUnit,
  type Html,
  lineChart,
  mostSeries,
  type Slot,
  timeUnit,
  type Unit,
} from '@tallyport/pages';
import { fullName, type PeriodPart, shortName } from '../screen/period-parts.ts';
import { type RequestFilter, requestsAddress } from '../screen/request-links.ts';
import { type AnalyticsChoice, analyticsAddress } from './address.ts';
import type { UsageGroup } from './groups.ts';
import { totalOfNumbers, type Totals } from './totals.ts';

/** What charts of usage are about, and the page that they are on. */
interface ChartPlace extends Pick<AnalyticsChoice, 'base' | 'period' | 'table'> {
  by: UsageDimension | 'end_user';
  filter: RequestFilter;
  /** The page with the chart of this title as a table. */
  tableAddress(title: string): string;
}

type AnalyticsPlace = AnalyticsChoice & ChartPlace;

export const analyticsPlace = (choice: AnalyticsChoice): AnalyticsPlace => ({
  ...choice,
  tableAddress: (table) => analyticsAddress(choice, { table }),
});

export type LatencyGroup = Latency & { group: string; at?: string | undefined };

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

export function usageChart(place: ChartPlace, groups: readonly UsageGroup[], chart: UsageChart): Html {
  const stacks = stacksOf(groups);
  return barChart({
    ...frameOf(place, chart.title),
    unit: chart.unit,
    series: stacks.map(({ title, rest }) => ({ title, rest })),
    slots: place.period.parts.map((part) => ({
      ...slotOf(place, part),
      values: stacks.map(({ members }) =>
        totalOfNumbers(members.map(({ parts }) => valueIn(parts.get(part.at), chart))),
      ),
      ...hrefsOf(place, stacks.length, () =>
        stacks.map(({ rest, members: [only] }) =>
          rest || !only?.id ? undefined : addressOf(place, part, { [place.by]: only.id }),
        ),
      ),
    })),
    empty: `No ${chart.title.toLowerCase()} in this period.`,
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
    .map(([code, own]) => ({ code, own, total: totalOfNumbers(own.map(({ requests }) => requests)) }))
    .toSorted((one, other) => other.total - one.total);
  const named = codes.slice(0, mostSeries);
  const others = codes.slice(mostSeries).flatMap(({ own }) => own);
  const countIn = (own: readonly ErrorCount[], { group }: PeriodPart): number =>
    totalOfNumbers(own.filter((each) => each.group === group).map(({ requests }) => requests));
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
      ...hrefsOf(place, named.length + 1, () => named.map(({ code }) => addressOf(place, part, { error: code }))),
    })),
    empty: 'There were no errors in this period.',
  });
}

const latencySeries = [
  { title: 'p50', valueOf: ({ durationMs }: Latency) => durationMs?.p50 },
  { title: 'p95', valueOf: ({ durationMs }: Latency) => durationMs?.p95 },
  { title: 'First token p50', valueOf: ({ firstByteMs }: Latency) => firstByteMs?.p50 },
];

interface LatencyChart {
  ofParts: readonly LatencyGroup[];
  /** Of the groups of the charts by hour or day, if the page has a line for each. */
  ofGroups: readonly LatencyGroup[];
  groups: readonly UsageGroup[];
}

/** How long requests took that a provider answered: all of them, or the slowest of twenty by group. */
export const latencyChart = (place: AnalyticsPlace, chart: LatencyChart): Html =>
  lineChart({
    ...frameOf(place, 'Latency'),
    ...(place.hasGroupTimes ? groupLines(place, chart) : allLines(place, chart)),
    unit: timeUnit,
    choice: latencyChoice(place),
    empty: 'No provider answered a request in this period.',
  });

const latencyChoice = (place: AnalyticsChoice): Html =>
  chooser('Lines of the latency', [
    { text: 'All', chosen: !place.hasGroupTimes, href: analyticsAddress(place, { latency: undefined }) },
    { text: `p95 by ${place.by}`, chosen: place.hasGroupTimes, href: analyticsAddress(place, { latency: 'groups' }) },
  ]);

type Lines = Pick<Chart, 'series' | 'slots'>;

function allLines(place: ChartPlace, { ofParts }: LatencyChart): Lines {
  const byPart = new Map(ofParts.map((latency) => [latency.group, latency]));
  return {
    series: latencySeries.map(({ title }) => ({ title })),
    slots: place.period.parts.map((part) => ({
      ...slotOf(place, part),
      values: latencySeries.map(({ valueOf }) => valueOf(byPart.get(part.group) ?? {})),
    })),
  };
}

function groupLines(place: ChartPlace, { ofGroups, groups }: LatencyChart): Lines {
  const lines = groups.flatMap(({ id, title }) => {
    const own = new Map(
      ofGroups.filter(({ group }) => group === id).map(({ at, durationMs }) => [at, durationMs?.p95]),
    );
    return own.size === 0 ? [] : [{ title, own }];
  });
  return {
    series: lines.map(({ title }) => ({ title })),
    slots: place.period.parts.map((part) => ({
      ...slotOf(place, part),
      values: lines.map(({ own }) => own.get(part.group)),
    })),
  };
}

const frameOf = (place: ChartPlace, title: string) => ({
  title,
  slotTitle: place.period.unit === 'hour' ? 'Hour (UTC)' : 'Day (UTC)',
  table: { href: place.tableAddress(title), isShown: place.table === title },
});

/** More slots are a quarter, and their links would be most of the page. */
const mostLinkedSlots = 31;

const slotOf = (place: ChartPlace, part: PeriodPart, filter: RequestFilter = {}): Omit<Slot, 'values'> => {
  const { parts, unit } = place.period;
  // Requests that name no end user are in no bar.
  const isLinked = parts.length <= mostLinkedSlots && place.by !== 'end_user';
  return {
    label: shortName(part, unit),
    title: fullName(part, unit),
    href: isLinked ? addressOf(place, part, filter) : undefined,
  };
};

/** Parts of bars with a link of their own. More of them make a page of hundreds of kilobytes. */
const mostLinkedParts = 120;

const hrefsOf = (
  { period }: ChartPlace,
  series: number,
  hrefs: () => NonNullable<Slot['hrefs']>,
): Pick<Slot, 'hrefs'> => (period.parts.length * series > mostLinkedParts ? {} : { hrefs: hrefs() });

const addressOf = ({ base, filter }: ChartPlace, { from, to }: PeriodPart, more: RequestFilter): string =>
  requestsAddress(base, { from, to, ...filter, ...more });
