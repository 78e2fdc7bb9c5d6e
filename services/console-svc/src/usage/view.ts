import { countFields, namesOf, type TokenField, tokenClasses, tokenFields } from '@switchyard/contracts';
import type { Sums } from '@switchyard/management';
import { chooser, dollars, heading, type Html, html, type HtmlContent, panel, table } from '@switchyard/pages';

export const usageGroupings = { model: 'Model', provider: 'Provider', key: 'Key' } as const;
export type UsageGrouping = keyof typeof usageGroupings;

export const usagePeriods = [7, 30, 90] as const;

export interface UsagePage {
  base: string;
  days: (typeof usagePeriods)[number];
  grouping: UsageGrouping;
  total: Sums;
  byDay: readonly { day: string; sums: Sums | undefined }[];
  groups: readonly { name: string; sums: Sums }[];
  onlyOwn: boolean;
  /** The address of all requests of the period as CSV. */
  exportHref: string;
}

export const usagePage = (page: UsagePage): Html =>
  html`${heading({
    title: 'Usage',
    text: page.onlyOwn ? 'The usage of the keys you created.' : 'The usage of all keys of the account.',
    action: { href: page.exportHref, text: 'Download as CSV' },
  })}
  ${choices(page)} ${totals(page.total)} ${panel('Cost by day', bars(page.byDay), 'Days begin at midnight UTC.')}
  ${groupTable(page)}`;

const choices = ({ base, days, grouping }: UsagePage): Html =>
  html`<div class="choosers">
    ${chooser(
      'Period',
      usagePeriods.map((period) => ({
        text: `${period} days`,
        chosen: period === days,
        href: `${base}/usage?days=${period}&by=${grouping}`,
      })),
    )}
    ${chooser(
      'Grouped by',
      Object.entries(usageGroupings).map(([name, text]) => ({
        text,
        chosen: name === grouping,
        href: `${base}/usage?days=${days}&by=${name}`,
      })),
    )}
  </div>`;

const totals = ({ cost, requests, failed, cached, tokens, images, unpriced }: Sums): Html =>
  html`<dl class="totals">
    ${total('Cost', dollars(cost), unpriced > 0 && `${whole(unpriced)} requests without a price`)}
    ${total('Requests', whole(requests), failed > 0 && `${whole(failed)} failed`)}
    ${total('From the cache', whole(cached), requests > 0 && `${Math.round((100 * cached) / requests)} % of requests`)}
    ${total('Tokens', whole(Object.values(tokens).reduce((sum, count) => sum + count, 0)), images > 0 && `${whole(images)} images`)}
  </dl>`;

const total = (name: string, value: string, more: HtmlContent): Html =>
  html`<div class="panel">
    <dt>${name}</dt>
    <dd>${value}</dd>
    ${more !== false && html`<dd class="quiet small">${more}</dd>`}
  </div>`;

const step = 10;
const tallest = 60;

/** A bar per day. Its label summarises it, and the table below has the figures. */
function bars(days: UsagePage['byDay']): Html {
  const costs = days.map(({ sums }) => Number(sums?.cost ?? 0));
  const most = Math.max(...costs);
  const peakDay = days[costs.indexOf(most)]?.day ?? '';
  const label = most === 0 ? 'No cost in this period.' : `Highest cost: ${dollars(String(most))} on ${peakDay}.`;
  return html`<svg
      class="bars"
      viewBox="0 0 ${days.length * step} ${tallest}"
      preserveAspectRatio="none"
      role="img"
      aria-label="${label}"
    >
      ${days.map(({ day }, at) => {
        const height = most === 0 ? 0 : ((costs[at] ?? 0) / most) * tallest;
        return html`<rect
          x="${at * step + 1}"
          y="${(tallest - height).toFixed(1)}"
          width="${step - 2}"
          height="${height.toFixed(1)}"
        >
          <title>${day}: ${dollars(String(costs[at] ?? 0))}</title>
        </rect>`;
      })}
    </svg>
    <p class="axis small quiet"><span>${days[0]?.day}</span><span>${label}</span><span>${days.at(-1)?.day}</span></p>`;
}

type Figure = readonly [title: string, text: (sums: Sums) => string];

/** Counts that only some accounts use, such as images, have a column only where one is not 0. */
const figuresOf = (groups: UsagePage['groups']): readonly Figure[] => [
  ['Requests', ({ requests }) => whole(requests)],
  ['Failed', ({ failed }) => whole(failed)],
  ['Cached', ({ cached }) => whole(cached)],
  ['Tokens in', ({ tokens }) => whole(tokensOf('prompt', tokens))],
  ['Tokens out', ({ tokens }) => whole(tokensOf('answer', tokens))],
  ...namesOf(countFields)
    .filter((name) => groups.some(({ sums }) => sums[name] > 0))
    .map((name): Figure => [countFields[name].title, (sums) => whole(sums[name])]),
  ...(groups.some(({ sums }) => sums.promptCacheSavings !== '0') ? [savings] : []),
  ['Cost', ({ cost }) => dollars(cost)],
];

const savings: Figure = ['Saved by prompt caches', ({ promptCacheSavings }) => dollars(promptCacheSavings)];

const tokensOf = (part: TokenField['of'], tokens: Sums['tokens']): number =>
  tokenClasses.reduce((sum, name) => (tokenFields[name].of === part ? sum + tokens[name] : sum), 0);

function groupTable({ grouping, groups }: UsagePage): Html {
  const figures = figuresOf(groups);
  return table({
    caption: `Usage by ${grouping}`,
    columns: [{ title: usageGroupings[grouping] }, ...figures.map(([title]) => ({ title, kind: 'number' }) as const)],
    rows: groups.map(({ name, sums }) => [
      html`<span class="strong breaking">${name === '' ? 'none' : name}</span>`,
      ...figures.map(([, text]) => text(sums)),
    ]),
    empty: 'There was no usage in this period.',
  });
}

const whole = (count: number): string => count.toLocaleString('en-US');
