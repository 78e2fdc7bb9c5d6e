import { badge, type Html, html, type HtmlContent, panel, table } from '@tallyport/pages';
import { words } from './words.ts';
import { type ExplainedFactor, factorNames, type FactorTitle } from '../gateway/explained-route.ts';
import { exclusionText, placeReason } from './reasons.ts';
import type { ScoredOffer } from './scored-offer.ts';

interface ScorePart {
  /** The model, if a page has the scores of several. */
  of?: string;
  offers: readonly ScoredOffer[];
  /** The offers without assumptions, if there are any. */
  known?: readonly ScoredOffer[] | undefined;
  /** What happened to each offer, for a request that was sent. */
  happened?: readonly HtmlContent[];
}

/** The offers in their order, with what each factor adds to the score. */
export const scoreTable = ({ of, offers, known, happened }: ScorePart): Html => {
  const factors = factorNames.filter((name) => offers.some((offer) => offer.factors[name]));
  const highest = Math.max(...offers.map(({ score }) => score));
  return html`${legend(factors)}
  ${table({
    caption: of === undefined ? 'Scores' : `Scores of ${of}`,
    columns: [
      'Provider',
      ...(happened ? ['What happened'] : []),
      { title: 'Score', kind: 'number' },
      ...factors.map((name) => ({ title: factorTitles[name], kind: 'number' }) as const),
      { title: 'Penalties', kind: 'number' },
      'Why here',
    ],
    rows: offers.map((offer, at) => [
      html`<div class="breaking">
        <span class="strong">${at + 1}. ${offer.provider}</span> ${offer.key === 'own' && badge('own key')}
        ${moved(offer, at, known)} ${scoreBar(offer, highest)}
      </div>`,
      ...(happened ? [happened[at]] : []),
      html`<div>${offer.score.toFixed(3)} ${scoreBefore(offer, known)}</div>`,
      ...factors.map((name) => factorCell(name, offer.factors[name])),
      penalties(offer),
      placeReason(offer.reason, at),
    ]),
    empty: 'No offer is left.',
  })}`;
};

export const factorTitles: Readonly<Record<FactorTitle, string>> = {
  uptime: 'Uptime',
  throughput: 'Throughput',
  price: 'Price',
  latency: 'Latency',
};

const barWidth = 100;

/** The parts of the score, side by side. A shorter bar is better. */
function scoreBar(offer: ScoredOffer, highest: number): Html {
  let x = 0;
  return html`<svg class="score" viewBox="0 0 ${barWidth} 4" preserveAspectRatio="none" aria-hidden="true">
    ${partsOf(offer).map(([look, size]) => {
      const width = (size / highest) * barWidth;
      const bar = html`<rect class="${look}" x="${x.toFixed(2)}" width="${width.toFixed(2)}" height="4" />`;
      x += width;
      return bar;
    })}
  </svg>`;
}

const partsOf = ({ factors, uptimePenalty: uptime, priorityPenalty: priority }: ScoredOffer) => [
  ...factorNames.map((name) => [name, added(factors[name])] as const),
  ['penalty', uptime + priority] as const,
];

const added = (factor: ExplainedFactor | undefined): number =>
  factor === undefined ? 0 : factor.ratio * factor.weight;

const legend = (factors: readonly FactorTitle[]): Html =>
  html`<p class="legend small quiet">
    ${[...factors, 'penalty' as const].map((name) => html`<span class="${name}">${words(name)}</span>`)}
  </p>`;

const factorCell = (name: FactorTitle, factor: ExplainedFactor | undefined): Html =>
  factor === undefined
    ? html`<span class="quiet">unknown</span>`
    : html`<div>
        ${valueText(name, factor)}
        <div class="quiet small">${factor.ratio.toFixed(2)} × ${factor.weight.toFixed(2)}</div>
      </div>`;

/** Prices are in different units, so they are compared with the lowest. */
function valueText(name: FactorTitle, { value, ratio }: ExplainedFactor): string {
  if (name === 'price') return ratio === 1 ? 'lowest' : `${Number(ratio.toFixed(2))} × lowest`;
  if (value === null) return 'unknown';
  if (name === 'uptime') return `${(value * 100).toFixed(1)} %`;
  return name === 'latency' ? `${Math.round(value)} ms` : `${value.toFixed(0)} tokens/s`;
}

function penalties({ uptimePenalty: uptime, priorityPenalty: priority }: ScoredOffer): Html {
  const parts = [
    { penalty: uptime, of: 'low uptime' },
    { penalty: priority, of: 'priority' },
  ].filter(({ penalty }) => penalty > 0);
  if (parts.length === 0) return html`<span class="quiet">none</span>`;
  return html`<div>
    ${parts.map(
      ({ penalty, of }) =>
        html`+${penalty.toFixed(3)}
          <div class="quiet small">${of}</div>`,
    )}
  </div>`;
}

const rankIn = (offers: readonly ScoredOffer[], provider: string): number =>
  offers.findIndex((offer) => offer.provider === provider);

/** How the assumptions moved an offer. */
function moved({ provider }: ScoredOffer, at: number, known: ScorePart['known']): Html | false {
  const before = known === undefined ? at : rankIn(known, provider);
  if (before === at || before < 0) return false;
  return badge(`was ${before + 1}.`, before > at ? 'good' : 'warn');
}

function scoreBefore({ provider, score }: ScoredOffer, known: ScorePart['known']): Html | false {
  const before = known?.[rankIn(known, provider)]?.score;
  return before !== undefined && before !== score && html`<div class="quiet small">was ${before.toFixed(3)}</div>`;
}

interface ExcludedOffer {
  provider: string;
  reason: string;
  detail?: string | undefined;
}

export const excludedTable = (excluded: readonly ExcludedOffer[], of?: string): Html | false =>
  excluded.length > 0 &&
  panel(
    'Left out',
    html`<div class="flush">
      ${table({
        caption: of === undefined ? 'Left out' : `Left out of ${of}`,
        columns: ['Provider', 'Why'],
        rows: excluded.map((offer) => [html`<span class="strong">${offer.provider}</span>`, exclusionText(offer)]),
        empty: '',
      })}
    </div>`,
  );
