import type { Latency } from '@switchyard/management';
import { countUnit, dollarUnit, type Html, html, percentUnit, timeUnit, type Unit } from '@switchyard/pages';
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
  html`<dl class="totals">${shownTiles.map((each) => tile(each, each.of(now), each.of(before)))}</dl>`;

const tile = ({ title, unit }: Tile, now: number | undefined, before: number | undefined): Html =>
  html`<div class="panel">
    <dt>${title}</dt>
    <dd>${now === undefined ? '–' : now < 1_000_000 ? unit.exact(now) : unit.short(now)}</dd>
    <dd class="quiet small">${comparison(unit, now, before)}</dd>
  </div>`;

/** For example `+12 % from 1,204`. */
export function comparison(unit: Unit, now: number | undefined, before: number | undefined): string {
  if (before === undefined || now === undefined) return 'not compared';
  if (before === 0) return now === 0 ? 'none before' : 'from none';
  const change = Math.round((now / before - 1) * 100);
  const direction = change > 0 ? `+${change} %` : change < 0 ? `−${-change} %` : 'unchanged';
  return `${direction} from ${before < 1_000_000 ? unit.exact(before) : unit.short(before)}`;
}
