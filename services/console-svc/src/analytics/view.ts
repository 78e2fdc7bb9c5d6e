import type { ErrorCount } from '@tallyport/management';
import { chips, heading, type Html, html, moment } from '@tallyport/pages';
import { fullName } from '../screen/period-parts.ts';
import { periodPicker } from '../screen/period-picker.ts';
import { type AnalyticsChoice, analyticsAddress, analyticsParameters, type UsageFilter } from './address.ts';
import { analyticsPlace, errorChart, latencyChart, type LatencyGroup, usageChart, usageCharts } from './charts.ts';
import type { UsageGroup } from './groups.ts';
import { groupingChooser } from './grouping-chooser.ts';
import { type GroupNumbers, groupTable } from './group-table.ts';
import { type PeriodNumbers, tiles } from './tiles.ts';

interface AnalyticsPage extends AnalyticsChoice {
  groups: readonly UsageGroup[];
  /** Of the groups, in the period before. */
  groupsBefore: GroupNumbers;
  /** The groups of the charts, by part of the period. */
  charted: readonly UsageGroup[];
  now: PeriodNumbers;
  before: PeriodNumbers;
  latencyOfParts: readonly LatencyGroup[];
  latencyOfGroups: readonly LatencyGroup[];
  /** Of the charted groups by part of the period, if the page shows it. */
  latencyOfCharted: readonly LatencyGroup[];
  errors: readonly ErrorCount[];
  onlyOwn: boolean;
  /** The time of the oldest request that counts, if there are older ones of the end user. */
  since: string | undefined;
  /** The names of the filters' values. */
  filterTitles: Partial<Record<UsageFilter, string>>;
  /** The address of the requests of the page as CSV. */
  exportHref: string;
}

export function analyticsPage(page: AnalyticsPage): Html {
  const place = analyticsPlace(page);
  return html`${heading({
      title: 'Analytics',
      text: page.onlyOwn
        ? `The usage of keys you created and of applications that act for you. ${partsText(page)}`
        : `The usage of all keys of the account. ${partsText(page)}`,
      action: { href: page.exportHref, text: 'Download as CSV' },
    })}
    ${choices(page)} ${filters(page)} ${sinceNote(page)} ${tiles(page, page)}
    <div class="charts">
      ${usageCharts.map((chart) => usageChart(place, page.charted, chart))}
      ${latencyChart(place, { ofParts: page.latencyOfParts, ofGroups: page.latencyOfCharted, groups: page.charted })}
      ${errorChart(place, page.errors)}
    </div>
    ${groupTable({ ...page, latencies: page.latencyOfGroups, before: page.groupsBefore })}`;
}

/** Sums are of whole hours or days, which a chosen time may only begin or end within. */
function partsText({ period: { unit, parts, from, to, isOpen } }: AnalyticsPage): string {
  const [first, last] = [parts[0], parts.at(-1)];
  if (first === undefined || last === undefined) return '';
  const isWhole = first.from === from && (isOpen || last.to === to);
  const names = `from ${fullName(first, unit)} to ${fullName(last, unit)}`;
  return isWhole ? 'Hours and days are those of UTC.' : `Sums are of whole ${unit}s by UTC, here ${names}.`;
}

const choices = (page: AnalyticsPage): Html =>
  html`<div class="choosers">
    ${periodPicker({ action: `${page.base}/analytics`, period: page.period, kept: analyticsParameters(page) })}
    ${groupingChooser({ ...page, chosen: page.by, hasEndUsers: !page.onlyOwn }, (by) => analyticsAddress(page, { by }))}
  </div>`;

const sinceNote = ({ since }: AnalyticsPage): Html | false =>
  since !== undefined &&
  html`<p class="note">Only the newest requests of this end user count: those since ${moment(since)}.</p>`;

/** What the page is restricted to. */
const filters = (page: AnalyticsPage): Html | false =>
  chips(
    Object.entries(page.filterTitles).map(([name, value]) => ({
      name: name.replace('_', ' '),
      value,
      without: analyticsAddress(page, { [name]: undefined }),
    })),
  );
