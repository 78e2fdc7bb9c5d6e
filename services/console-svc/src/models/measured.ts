import type { DailyHealth, Latency } from '@tallyport/management';
import {
  byDate,
  countUnit,
  type Html,
  html,
  type HtmlContent,
  lastDays,
  meanUptime,
  percent,
  table,
  timeUnit,
} from '@tallyport/pages';
import type { CatalogueModel } from '../gateway/catalogue-model.ts';
import { readWholeHistory } from '../providers/read-whole-history.ts';
import { latencyCells, uptimeCell } from '../providers/view.ts';
import type { DashboardRequest } from '../screen/route.ts';

const measuredDays = 30;

/** How a model did in the last days. */
export interface Measured {
  dates: readonly string[];
  /** The days of its offers, for all accounts of the gateway. */
  history: readonly DailyHealth[];
  /** Of the requests that the person may see, all together and by provider. */
  total: Latency;
  byProvider: readonly (Latency & { group: string })[];
}

export async function readMeasured({ ask }: Pick<DashboardRequest, 'ask'>, model: string): Promise<Measured> {
  const dates = lastDays(measuredDays, Date.now());
  const [{ days: history }, { total, groups: byProvider }] = await Promise.all([
    readWholeHistory(ask, { days: measuredDays, by: 'offer', model }),
    ask('readLatency', { from: dates[0], model, by: 'provider', top: 100 }),
  ]);
  return { dates, history, total, byProvider };
}

/** What each offer did. Providers that were called and no longer offer the model are left out. */
export const measuredPanel = (base: string, { providers }: CatalogueModel, measured: Measured): Html =>
  html`<h2>Measured in ${measuredDays} days</h2>
    ${table({
      caption: `Measured in ${measuredDays} days`,
      columns: [
        'Provider',
        'Uptime',
        ...['p50', 'p95', 'Your first token', 'Your tokens/s'].map((title) => ({ title, kind: 'number' }) as const),
      ],
      rows: [...new Set(providers.map(({ providerId }) => providerId))].map((provider) =>
        measuredRow(base, provider, measured),
      ),
      empty: 'No provider offers this model.',
    })}
    <p class="quiet small">
      Uptime, p50 and p95 are of all accounts of this gateway, p50 and p95 of the last day with answers. First token and
      tokens per second are the medians of your own streams.
    </p>`;

function measuredRow(base: string, provider: string, { dates, history, byProvider }: Measured): HtmlContent[] {
  const own = history.filter((day) => day.provider === provider);
  const latency = byProvider.find(({ group }) => group === provider);
  return [
    html`<a class="strong" href="${base}/providers/${encodeURIComponent(provider)}">${provider}</a>`,
    uptimeCell(own, dates),
    ...latencyCells(own),
    firstToken(latency),
    tokenSpeed(latency),
  ];
}

const unknown = html`<span class="quiet">–</span>`;

export const firstToken = ({ firstByteMs }: Latency = {}): HtmlContent =>
  firstByteMs === undefined ? unknown : timeUnit.exact(firstByteMs.p50);

export const tokenSpeed = ({ tokensPerSecond }: Latency = {}): HtmlContent =>
  tokensPerSecond === undefined ? unknown : countUnit.exact(tokensPerSecond.p50);

export const medianDuration = ({ durationMs }: Latency): HtmlContent =>
  durationMs === undefined ? unknown : timeUnit.exact(durationMs.p50);

/** The highest uptime of an offer, because routing prefers it. */
export function bestUptime({ history, dates }: Pick<Measured, 'history' | 'dates'>): HtmlContent {
  const means = [...Map.groupBy(history, ({ provider }) => provider)].flatMap(([provider, days]) => {
    const mean = meanUptime(byDate(days, dates));
    return mean === undefined ? [] : [{ provider, mean }];
  });
  const [best] = means.toSorted((one, other) => other.mean - one.mean);
  return best === undefined
    ? unknown
    : html`<span>${percent(best.mean)} <span class="quiet small">${best.provider}</span></span>`;
}
