import type { ErrorCount, UsageDimension } from '@tallyport/management';
import { chooser, heading, type Html, html } from '@tallyport/pages';
import {
  type ChartPlace,
  errorChart,
  type GroupedUsage,
  latencyChart,
  type LatencyGroup,
  usageChart,
  usageCharts,
} from './charts.ts';
import { dimensionTitles } from './groups.ts';
import { groupTable } from './group-table.ts';
import { periodNames, periods } from './period.ts';
import { type PeriodNumbers, tiles } from './tiles.ts';

interface AnalyticsPage extends ChartPlace, GroupedUsage {
  /** The groups of the charts, by part of the period. */
  charted: GroupedUsage['groups'];
  now: PeriodNumbers;
  before: PeriodNumbers;
  latencyOfParts: readonly LatencyGroup[];
  latencyOfGroups: readonly LatencyGroup[];
  errors: readonly ErrorCount[];
  onlyOwn: boolean;
  /** The names of the filters' values. */
  filterTitles: Partial<Record<UsageDimension, string>>;
  /** The address of all requests of the period as CSV. */
  exportHref: string;
}

export const analyticsPage = (page: AnalyticsPage): Html =>
  html`${heading({
      title: 'Analytics',
      text: page.onlyOwn
        ? 'The usage of keys you created and of applications that act for you. Hours and days are those of UTC.'
        : 'The usage of all keys of the account. Hours and days are those of UTC.',
      action: { href: page.exportHref, text: 'Download as CSV' },
    })}
    ${choices(page)} ${filters(page)} ${tiles(page.now, page.before)}
    <div class="charts">
      ${usageCharts.map((chart) => usageChart(page, { by: page.by, groups: page.charted }, chart))}
      ${latencyChart(page, page.latencyOfParts)} ${errorChart(page, page.errors)}
    </div>
    ${groupTable({ ...page, latencies: page.latencyOfGroups })}`;

const choices = (page: AnalyticsPage): Html =>
  html`<div class="choosers">
    ${chooser(
      'Period',
      periodNames.map((period) => ({
        text: periods[period].title,
        chosen: period === page.period.name,
        href: addressOf(page, { period }),
      })),
    )}
    ${chooser(
      'Grouped by',
      Object.entries(dimensionTitles).map(([by, text]) => ({
        text,
        chosen: by === page.by,
        href: addressOf(page, { by }),
      })),
    )}
  </div>`;

/** What the page is restricted to, each with a link that removes it. */
const filters = (page: AnalyticsPage): Html | false =>
  Object.keys(page.filterTitles).length > 0 &&
  html`<ul class="chips" aria-label="Filters">
    ${Object.entries(page.filterTitles).map(
      ([name, title]) =>
        html`<li>
          ${name} ${title}
          <a href="${addressOf(page, { [name]: undefined })}" aria-label="Remove the filter ${name} ${title}">Remove</a>
        </li>`,
    )}
  </ul>`;

function addressOf(
  { base, period, by, filter }: AnalyticsPage,
  changes: Readonly<Record<string, string | undefined>>,
): string {
  const all = { period: period.name, by, ...filter, ...changes };
  const pairs = Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return `${base}/analytics?${new URLSearchParams(pairs).toString()}`;
}
