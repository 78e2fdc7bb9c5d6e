import { countFields, namesOf } from '@tallyport/contracts';
import { countUnit, dollarUnit, type Html, html, type HtmlContent, table, timeUnit, type Unit } from '@tallyport/pages';
import { requestsAddress } from '../screen/request-links.ts';
import type { ChartPlace, GroupedUsage, LatencyGroup } from './charts.ts';
import { dimensionTitles, type UsageGroup } from './groups.ts';
import type { Totals } from './totals.ts';

interface GroupTable extends ChartPlace, GroupedUsage {
  latencies: readonly LatencyGroup[];
}

interface Figure {
  title: string;
  unit: Unit;
  of(totals: Totals, latency: Partial<LatencyGroup>): number | undefined;
  /** The figure leads to the requests with an error. */
  error?: 'any';
  /** Whether the column is left out if no group has a value. */
  optional?: true;
}

const figures: readonly Figure[] = [
  { title: 'Cost', unit: dollarUnit, of: ({ cost }) => cost },
  { title: 'Requests', unit: countUnit, of: ({ requests }) => requests },
  { title: 'Failed', unit: countUnit, of: ({ failed }) => failed, error: 'any' },
  { title: 'Refused', unit: countUnit, of: ({ refused }) => refused, optional: true },
  { title: 'Rescued', unit: countUnit, of: ({ rescued }) => rescued, optional: true },
  { title: 'Cached', unit: countUnit, of: ({ cached }) => cached, optional: true },
  { title: 'Tokens in', unit: countUnit, of: ({ tokensIn }) => tokensIn },
  { title: 'Tokens out', unit: countUnit, of: ({ tokensOut }) => tokensOut },
  ...namesOf(countFields).map((name): Figure => ({
    title: countFields[name].title,
    unit: countUnit,
    of: (totals) => totals[name],
    optional: true,
  })),
  { title: 'p50', unit: timeUnit, of: (_, { durationMs }) => durationMs?.p50 },
  { title: 'p95', unit: timeUnit, of: (_, { durationMs }) => durationMs?.p95 },
  { title: 'First token', unit: timeUnit, of: (_, { firstByteMs }) => firstByteMs?.p50, optional: true },
  { title: 'Tokens/s', unit: countUnit, of: (_, { tokensPerSecond }) => tokensPerSecond?.p50, optional: true },
  { title: 'Saved by prompt caches', unit: dollarUnit, of: ({ savings }) => savings, optional: true },
];

/** The groups of the charts in figures. Counts that only some accounts use have a column only where one is not 0. */
export function groupTable(page: GroupTable): Html {
  const { by, groups } = page;
  const latencyOf = new Map(page.latencies.map((latency) => [latency.group, latency]));
  const valueOf = ({ of }: Figure, { id, total }: UsageGroup) =>
    of(total, (id === undefined ? undefined : latencyOf.get(id)) ?? {});
  const shown = figures.filter((figure) => !figure.optional || groups.some((group) => valueOf(figure, group)));
  return table({
    caption: `Usage by ${by}`,
    columns: [dimensionTitles[by], ...shown.map(({ title }) => ({ title, kind: 'number' }) as const)],
    rows: groups.map((group) => [
      group.id ? html`<a class="strong" href="${requestsOf(page, group.id)}">${group.title}</a>` : group.title,
      ...shown.map((figure) =>
        figureCell(figure, valueOf(figure, group), group.id && requestsOf(page, group.id, figure.error)),
      ),
    ]),
    empty: 'There was no usage in this period.',
  });
}

const requestsOf = ({ base, filter, by, period }: GroupTable, id: string, error?: string): string =>
  requestsAddress(base, { from: period.parts[0]?.from, ...filter, [by]: id, error });

function figureCell({ unit, error }: Figure, value: number | undefined, href: string | undefined): HtmlContent {
  if (value === undefined) return '–';
  const text = unit.exact(value);
  return error && href && value > 0 ? html`<a href="${href}">${text}</a>` : text;
}
