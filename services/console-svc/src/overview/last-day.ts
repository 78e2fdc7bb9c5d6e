import { type Latency, type RequestOutcomeName, requestOutcomes } from '@tallyport/management';
import { countUnit, dollarUnit, type Html, html, sparkline, timeUnit, type Unit } from '@tallyport/pages';
import type { Totals } from '../analytics/totals.ts';
import type { Growth } from '../screen/change.ts';
import { numberTile } from '../screen/number-tile.ts';
import { requestsAddress } from '../screen/request-links.ts';

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
  latencyBefore: Latency;
}

interface Figure {
  title: string;
  unit: Unit;
  growth: Growth;
  of(totals: Totals): number;
  /** Its requests, if it does not lead to Analytics. */
  outcome?: RequestOutcomeName;
  /** Explains the title. */
  note?: string;
}

const figures: readonly Figure[] = [
  { title: 'Requests', unit: countUnit, growth: 'neutral', of: ({ requests }) => requests },
  { title: 'Failed', unit: countUnit, growth: 'worse', of: ({ failed }) => failed },
  {
    title: 'Rescued by failover',
    unit: countUnit,
    growth: 'neutral',
    of: ({ rescued }) => rescued,
    outcome: 'rescued',
    note: requestOutcomes.rescued.meaning,
  },
  { title: 'Cost', unit: dollarUnit, growth: 'neutral', of: ({ cost }) => cost },
];

/** The numbers of the last day, each with its hours as a small chart. */
export const lastDay = (day: LastDay): Html =>
  html`<div class="live-heading"><h2>Last 24 hours</h2></div>
    ${lastDayTiles(day)}`;

/** live.js renews them. */
export const lastDayTiles = ({ base, hours, latencies, now, before, latency, latencyBefore }: LastDay): Html =>
  html`<dl class="totals of-day" data-live="figures">
    ${figures.map(({ title, unit, growth, of, outcome, note }) =>
      numberTile({
        title: linked(base, title, outcome),
        unit,
        growth,
        now: of(now),
        before: of(before),
        note,
        chart: sparkline(hours.map(of)),
      }),
    )}
    ${numberTile({
      title: html`<a href="${base}/analytics?period=24h&sort=p95.change#groups">Latency p95</a>`,
      unit: timeUnit,
      now: latency.durationMs?.p95,
      before: latencyBefore.durationMs?.p95,
      growth: 'worse',
      chart: sparkline(latencies.map((hour) => hour?.durationMs?.p95)),
    })}
  </dl>`;

function linked(base: string, title: string, outcome?: RequestOutcomeName): Html {
  const href = outcome ? `${requestsAddress(base, { outcome })}&period=24h` : `${base}/analytics?period=24h`;
  return html`<a href="${href}">${title}</a>`;
}
