import type { Latency } from '@tallyport/management';
import { countUnit, dollarUnit, type Html, html, sparkline, timeUnit, type Unit } from '@tallyport/pages';
import type { Totals } from '../analytics/totals.ts';
import { numberTile } from '../screen/number-tile.ts';

/** Twenty-four hours in order of time. Hours without requests are there, too. */
export interface LastDay {
  base: string;
  hours: readonly Totals[];
  /** `undefined` for hours in which nothing was measured. */
  latencies: readonly (Latency | undefined)[];
  now: Totals;
  /** Of the twenty-four hours before. */
  before: Totals;
  latency: Latency;
}

interface Figure {
  title: string;
  unit: Unit;
  of(totals: Totals): number;
}

const figures: readonly Figure[] = [
  { title: 'Requests', unit: countUnit, of: ({ requests }) => requests },
  { title: 'Failed', unit: countUnit, of: ({ failed }) => failed },
  { title: 'Cost', unit: dollarUnit, of: ({ cost }) => cost },
];

/** The numbers of the last day, each with its hours as a small chart. */
export const lastDay = ({ base, hours, latencies, now, before, latency }: LastDay): Html =>
  html`<h2>Last 24 hours</h2>
    <dl class="totals of-day">
      ${figures.map(({ title, unit, of }) =>
        numberTile({
          title: linked(base, title),
          unit,
          now: of(now),
          before: of(before),
          chart: sparkline(hours.map(of)),
        }),
      )}
      ${numberTile({
        title: linked(base, 'Latency p95'),
        unit: timeUnit,
        now: latency.durationMs?.p95,
        before: undefined,
        chart: sparkline(latencies.map((hour) => hour?.durationMs?.p95)),
      })}
    </dl>`;

const linked = (base: string, title: string): Html => html`<a href="${base}/analytics?period=24h">${title}</a>`;
