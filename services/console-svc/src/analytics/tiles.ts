import { type Latency, type RequestOutcomeName, requestOutcomes } from '@tallyport/management';
import { countUnit, dollarUnit, type Html, html, percentUnit, timeUnit, type Unit } from '@tallyport/pages';
import { requestsAddress, timesOf } from '../screen/request-links.ts';
import type { Growth } from '../screen/change.ts';
import { numberTile } from '../screen/number-tile.ts';
import type { AnalyticsChoice } from './address.ts';
import { shareOf, type Totals } from './totals.ts';

/** All numbers of a period. The latency is `undefined` if it cannot be read. */
export interface PeriodNumbers {
  totals: Totals;
  latency: Latency | undefined;
}

interface Tile {
  title: string;
  unit: Unit;
  growth: Growth;
  of(numbers: PeriodNumbers): number | undefined;
  /** The title leads to the requests that are counted. */
  outcome?: RequestOutcomeName;
  /** Explains the title. */
  note?: string;
}

const shownTiles: readonly Tile[] = [
  { title: 'Cost', growth: 'neutral', unit: dollarUnit, of: ({ totals: { cost } }) => cost },
  { title: 'Requests', growth: 'neutral', unit: countUnit, of: ({ totals: { requests } }) => requests },
  {
    title: 'Tokens',
    growth: 'neutral',
    unit: countUnit,
    of: ({ totals: { tokensIn, tokensOut } }) => tokensIn + tokensOut,
  },
  {
    title: 'Failed',
    growth: 'worse',
    unit: percentUnit,
    of: ({ totals: { failed, requests } }) => shareOf(failed, requests),
    outcome: 'failed',
  },
  {
    title: 'Refused',
    growth: 'worse',
    unit: countUnit,
    of: ({ totals: { refused } }) => refused,
    outcome: 'refused',
  },
  {
    title: 'Rescued by failover',
    growth: 'neutral',
    unit: countUnit,
    of: ({ totals: { rescued } }) => rescued,
    outcome: 'rescued',
    note: requestOutcomes.rescued.meaning,
  },
  {
    title: 'From the cache',
    growth: 'better',
    unit: percentUnit,
    of: ({ totals: { cached, requests } }) => shareOf(cached, requests),
    outcome: 'cached',
  },
  {
    title: 'Read from prompt caches',
    growth: 'better',
    unit: percentUnit,
    of: ({ totals: { tokensRead, tokensIn } }) => shareOf(tokensRead, tokensIn),
  },
  { title: 'Saved by prompt caches', growth: 'better', unit: dollarUnit, of: ({ totals: { savings } }) => savings },
  { title: 'Latency p50', growth: 'worse', unit: timeUnit, of: ({ latency }) => latency?.durationMs?.p50 },
  { title: 'Latency p95', growth: 'worse', unit: timeUnit, of: ({ latency }) => latency?.durationMs?.p95 },
  { title: 'First token p50', growth: 'worse', unit: timeUnit, of: ({ latency }) => latency?.firstByteMs?.p50 },
];

/** The numbers of a period, each compared with the period before. */
export const tiles = (place: AnalyticsChoice, { now, before }: Record<'now' | 'before', PeriodNumbers>): Html =>
  html`<dl class="totals">
    ${shownTiles.map(({ title, unit, growth, of, outcome, note }) =>
      numberTile({
        title: outcome ? html`<a href="${requestsOf(place, outcome)}">${title}</a>` : title,
        unit,
        growth,
        now: of(now),
        before: of(before),
        note,
      }),
    )}
  </dl>`;

const requestsOf = ({ base, filter, period }: AnalyticsChoice, outcome: RequestOutcomeName): string =>
  requestsAddress(base, { ...timesOf(period), ...filter, outcome });
