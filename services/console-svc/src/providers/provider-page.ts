import { badge, heading, type Html, html, type HtmlContent, table, timeUnit } from '@tallyport/pages';
import type { OfferStanding } from '../gateway/offer-standing.ts';
import { modelAddress } from '../screen/model-address.ts';
import {
  errorCell,
  incidentPart,
  inPeriod,
  latencyCells,
  periodPart,
  type ProviderFigures,
  uptimeCell,
} from './view.ts';

interface ProviderPage extends ProviderFigures {
  name: string;
  /** Of the account. */
  usage: Html;
}

/** One provider with its usage and its models. */
export const providerPage = ({ name, usage, ...page }: ProviderPage): Html =>
  html`${heading({
    title: name,
    text: 'Uptime and latency of its models for all accounts of this gateway. “Now” is what routing knows of the last minutes.',
    back: { href: inPeriod(`${page.base}/providers`, page.period), text: 'Providers' },
  })}
  ${usage} ${periodPart(page, `${page.base}/providers/${name}`)}
  ${table({
    caption: 'Models of the provider',
    columns: [
      'Model',
      'Now',
      'Uptime by day',
      { title: 'p50', kind: 'number' },
      { title: 'p95', kind: 'number' },
      { title: 'Mean now', kind: 'number' },
      'Last error',
    ],
    rows: modelsOf(page).map((model) => offerRow(page, model)),
    empty: 'It has no models.',
  })}
  ${incidentPart(page)}`;

/** Models that can be called now or were called, those with calls first. */
function modelsOf({ history, standings }: ProviderFigures): string[] {
  const called = history.flatMap(({ model }) => model ?? []).toSorted();
  const callable = standings.filter(({ obstacle }) => obstacle === null).map(({ model }) => model);
  return [...new Set([...called, ...callable])];
}

function offerRow({ base, dates, history, standings }: ProviderFigures, model: string): HtmlContent[] {
  const own = history.filter((day) => day.model === model);
  const standing = standings.find((each) => each.model === model);
  return [
    html`<a class="strong" href="${modelAddress(base, model)}">${model}</a>`,
    standing === undefined ? html`<span class="quiet">not offered any more</span>` : nowCell(standing),
    uptimeCell(own, dates),
    ...latencyCells(own),
    standing?.latency_ms == null ? html`<span class="quiet">–</span>` : timeUnit.exact(standing.latency_ms),
    errorCell(standing?.last_error),
  ];
}

function nowCell({ obstacle, breaker, healthy, cooldown_ms: cooldown, recovery }: OfferStanding): Html {
  if (obstacle !== null) return html`<div>${badge('no key')}<br /><span class="quiet small">${obstacle}</span></div>`;
  if (breaker !== 'closed') return badge(`breaker ${breaker.replace('_', ' ')}`, 'bad');
  if (cooldown > 0) return badge(`rests for ${timeUnit.exact(cooldown)}`, 'warn');
  if (recovery?.state === 'returning') return badge('returning', 'warn');
  return healthy ? badge('healthy', 'good') : badge('avoided', 'warn');
}
