import { type Latency, type RequestOutcomeName, requestOutcomes } from '@tallyport/management';
import { chooser, type Html, html, type HtmlContent, table } from '@tallyport/pages';
import { columnChooser, columnLinks, shownOf } from '../screen/column-choice.ts';
import { changeOf } from '../screen/change.ts';
import { requestsAddress, timesOf } from '../screen/request-links.ts';
import { type AnalyticsChoice, analyticsAddress } from './address.ts';
import type { LatencyGroup } from './charts.ts';
import { figureCell } from './figure-cell.ts';
import { type Figure, figures } from './figures.ts';
import { dimensionTitles, type UsageGroup } from './groups.ts';
import { noTotals, type Totals } from './totals.ts';

/** What is known of the groups in a period. */
export interface GroupNumbers {
  totals: ReadonlyMap<string, Totals>;
  latencies: readonly LatencyGroup[];
}

interface GroupTable extends AnalyticsChoice {
  groups: readonly UsageGroup[];
  latencies: readonly LatencyGroup[];
  before: GroupNumbers;
}

/** A group with its values by the key of the figure. */
interface Row {
  group: UsageGroup;
  now: Values;
  before: Values;
}

type Values = Readonly<Record<string, number | undefined>>;

/** The groups of the charts in figures, each compared with the period before, in the columns that the address chooses. */
export function groupTable(page: GroupTable): Html {
  const { by, groups } = page;
  const rows = sorted(rowsOf(page), page.sort);
  const choice = { all: figuresOf(rows), named: page.columns };
  const shown = shownOf(choice);
  const links = columnLinks(choice, (columns) => tableAddress(page, { columns }));
  return html`<div class="choosers" id="${place}">
      ${groups.length > 1 && changeChooser(page)} ${columnChooser(links)}
    </div>
    ${table({
      caption: `Usage by ${by}`,
      columns: [
        dimensionTitles[by],
        ...shown.map((figure) => ({ title: figure.title, kind: 'number', order: orderOf(page, figure) }) as const),
      ],
      rows: rows.map((row) => [
        row.group.id
          ? html`<a class="strong" href="${requestsOf(page, row.group.id)}">${row.group.title}</a>`
          : row.group.title,
        ...shown.map((figure) => cell(page, figure, row)),
      ]),
      empty: 'There was no usage in this period.',
    })}
    ${meaningsOf(shown)}`;
}

/** Of counts that only some accounts use, those that are not 0 everywhere. */
const figuresOf = (rows: readonly Row[]): Figure[] =>
  figures.filter(({ optional, key }) => !optional || rows.some(({ now }) => now[key]));

/** Explains the words that the heads of columns have no room for. */
function meaningsOf(shown: readonly Figure[]): Html | false {
  const explained = shown.flatMap(({ title, outcome }) =>
    outcome === 'refused' || outcome === 'rescued' ? [`${title}: ${requestOutcomes[outcome].meaning}`] : [],
  );
  return explained.length > 0 && html`<p class="quiet small">${explained.join(' ')}</p>`;
}

/** Above the table, which is below the charts. */
const place = 'groups';

const tableAddress = (page: GroupTable, changes: Parameters<typeof analyticsAddress>[1]): string =>
  `${analyticsAddress(page, changes)}#${place}`;

const orderOf = (page: GroupTable, { key }: Figure) => ({
  href: tableAddress(page, { sort: key === 'cost' ? undefined : key }),
  isCurrent: key === (page.sort ?? 'cost'),
});

const growing = { cost: 'cost', requests: 'requests', failed: 'failures', p95: 'p95' };

/** Which group became slower, for example. */
const changeChooser = (page: GroupTable): Html =>
  chooser(
    'Largest growth first',
    Object.entries(growing).map(([key, text]) => ({
      text: `Growth of ${text}`,
      chosen: page.sort === `${key}.change`,
      href: tableAddress(page, { sort: `${key}.change` }),
    })),
  );

function rowsOf({ groups, latencies, before }: GroupTable): Row[] {
  const now = latenciesById(latencies);
  const then = latenciesById(before.latencies);
  return groups.map((group) => {
    const { id, total } = group;
    if (id === undefined) return { group, now: valuesOf(total, {}), before: {} };
    // Groups that cannot be asked for one by one are not compared.
    const isKnown = !id.includes(',');
    return {
      group,
      now: valuesOf(total, now.get(id) ?? {}),
      before: isKnown ? valuesOf(before.totals.get(id) ?? noTotals, then.get(id) ?? {}) : {},
    };
  });
}

const latenciesById = (latencies: readonly LatencyGroup[]): ReadonlyMap<string, Latency> =>
  new Map(latencies.map((latency) => [latency.group, latency]));

const valuesOf = (totals: Totals, latency: Latency): Values =>
  Object.fromEntries(figures.map(({ key, of }) => [key, of(totals, latency)]));

/** All other groups together are always last; so are those without a value. */
function sorted(rows: readonly Row[], sort: string | undefined): readonly Row[] {
  const [key = '', change] = sort?.split('.') ?? [];
  if (!figures.some((figure) => figure.key === key)) return rows;
  const rankOf = ({ group, now, before }: Row): number => {
    const [value, valueBefore] = [now[key], before[key]];
    if (group.id === undefined || value === undefined) return Number.NEGATIVE_INFINITY;
    if (change === undefined) return value;
    return valueBefore === undefined ? Number.NEGATIVE_INFINITY : changeOf({ now: value, before: valueBefore });
  };
  return rows.toSorted((one, other) => compareNumbers(rankOf(other), rankOf(one)));
}

/** The difference of two infinities is no number. */
const compareNumbers = (one: number, other: number): number => (one === other ? 0 : one < other ? -1 : 1);

const requestsOf = ({ base, filter, by, period }: GroupTable, id: string, outcome?: RequestOutcomeName): string =>
  requestsAddress(base, { ...timesOf(period), ...filter, [by]: id, outcome });

const cell = (page: GroupTable, figure: Figure, { group, now, before }: Row): HtmlContent =>
  figureCell(figure, {
    now: now[figure.key],
    before: before[figure.key],
    totals: group.total,
    href: group.id && requestsOf(page, group.id, figure.outcome),
  });
