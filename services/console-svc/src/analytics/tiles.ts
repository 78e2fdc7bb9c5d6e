import type { Latency } from '@tallyport/management';
import { countUnit, dollarUnit, type Html, html, percentUnit, timeUnit, type Unit } from '@tallyport/pages';
import { numberTile } from '../screen/number-tile.ts';
import type { Totals } from './totals.ts';

/** All numbers of a period. The latency is `undefined` if it cannot be read. */
export interface PeriodNumbers {
  totals: Totals;
  latency: Latency | undefined;
}

interface Tile {
  title: string;
  unit: Unit;
  of(numbers: PeriodNumbers): number | undefined;
}

const shownTiles: readonly Tile[] = [
  { title: 'Cost', unit: dollarUnit, of: ({ totals: { cost } }) => cost },
  { title: 'Requests', unit: countUnit, of: ({ totals: { requests } }) => requests },
  { title: 'Tokens', unit: countUnit, of: ({ totals: { tokensIn, tokensOut } }) => tokensIn + tokensOut },
  { title: 'Failed', unit: percentUnit, of: ({ totals: { failed, requests } }) => shareOf(failed, requests) },
  { title: 'Rescued by failover', unit: countUnit, of: ({ totals: { rescued } }) => rescued },
  { title: 'From the cache', unit: percentUnit, of: ({ totals: { cached, requests } }) => shareOf(cached, requests) },
  { title: 'Saved by prompt caches', unit: dollarUnit, of: ({ totals: { savings } }) => savings },
  { title: 'Latency p50', unit: timeUnit, of: ({ latency }) => latency?.durationMs?.p50 },
  { title: 'Latency p95', unit: timeUnit, of: ({ latency }) => latency?.durationMs?.p95 },
  { title: 'First token p50', unit: timeUnit, of: ({ latency }) => latency?.firstByteMs?.p50 },
];

const shareOf = (part: number, whole: number): number | undefined => (whole === 0 ? undefined : part / whole);

/** The numbers of a period, each compared with the period before. */
export const tiles = (now: PeriodNumbers, before: PeriodNumbers): Html =>
  html`<dl class="totals">
    ${shownTiles.map(({ title, unit, of }) => numberTile({ title, unit, now: of(now), before: of(before) }))}
  </dl>`;
