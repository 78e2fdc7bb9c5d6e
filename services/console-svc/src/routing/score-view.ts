import { badge, type Html, html, panel, table } from '@tallyport/pages';
import { routeReasonText, words } from '../requests/words.ts';
import {
  type ExplainedCandidate,
  type ExplainedRoute,
  type ExplainedFactor,
  factorNames,
  type FactorTitle,
} from '../gateway/explained-route.ts';

interface ScorePart {
  route: ExplainedRoute;
  /** The route without assumptions, if there are any. */
  known: ExplainedRoute | undefined;
}

/** The candidates in their order, with what each factor adds to the score. */
export const scoreTable = ({ route, known }: ScorePart): Html => {
  const factors = factorNames.filter((name) => route.candidates.some((candidate) => candidate.factors[name]));
  const highest = Math.max(...route.candidates.map(({ score }) => score));
  return html`${legend(factors)}
  ${table({
    caption: 'Scores',
    columns: [
      'Provider',
      { title: 'Score', kind: 'number' },
      ...factors.map((name) => ({ title: titles[name], kind: 'number' }) as const),
      { title: 'Penalties', kind: 'number' },
      'Why here',
    ],
    rows: route.candidates.map((candidate, at) => [
      html`<div class="breaking">
        <span class="strong">${at + 1}. ${candidate.provider}</span> ${candidate.key === 'own' && badge('own key')}
        ${moved(candidate, at, known)} ${scoreBar(candidate, highest)}
      </div>`,
      html`<div>${candidate.score.toFixed(3)} ${scoreBefore(candidate, known)}</div>`,
      ...factors.map((name) => factorCell(name, candidate.factors[name])),
      penalties(candidate),
      routeReasonText(candidate.reason),
    ]),
    empty: 'No offer is left.',
  })}`;
};

const titles: Readonly<Record<FactorTitle, string>> = {
  uptime: 'Uptime',
  throughput: 'Throughput',
  price: 'Price',
  latency: 'Latency',
};

const barWidth = 100;

/** The parts of the score, side by side. The lowest bar is tried first. */
function scoreBar(candidate: ExplainedCandidate, highest: number): Html {
  let x = 0;
  return html`<svg class="score" viewBox="0 0 ${barWidth} 4" preserveAspectRatio="none" aria-hidden="true">
    ${partsOf(candidate).map(([look, size]) => {
      const width = (size / highest) * barWidth;
      const bar = html`<rect class="${look}" x="${x.toFixed(2)}" width="${width.toFixed(2)}" height="4" />`;
      x += width;
      return bar;
    })}
  </svg>`;
}

const partsOf = ({ factors, uptime_penalty: uptime, priority_penalty: priority }: ExplainedCandidate) => [
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

function penalties({ uptime_penalty: uptime, priority_penalty: priority }: ExplainedCandidate): Html {
  const parts = [
    ...(uptime > 0 ? [`+${uptime.toFixed(3)} low uptime`] : []),
    ...(priority > 0 ? [`+${priority.toFixed(3)} priority`] : []),
  ];
  return parts.length === 0 ? html`<span class="quiet">none</span>` : html`<div>${parts.join(', ')}</div>`;
}

const rankIn = (route: ExplainedRoute, provider: string): number =>
  route.candidates.findIndex((candidate) => candidate.provider === provider);

/** How the assumptions moved an offer. */
function moved({ provider }: ExplainedCandidate, at: number, known: ExplainedRoute | undefined): Html | false {
  const before = known === undefined ? at : rankIn(known, provider);
  if (before === at || before < 0) return false;
  return badge(`was ${before + 1}.`, before > at ? 'good' : 'warn');
}

function scoreBefore({ provider, score }: ExplainedCandidate, known: ExplainedRoute | undefined): Html | false {
  const before = known?.candidates[rankIn(known, provider)]?.score;
  return before !== undefined && before !== score && html`<div class="quiet small">was ${before.toFixed(3)}</div>`;
}

export const excludedTable = ({ excluded }: ExplainedRoute): Html | false =>
  excluded.length > 0 &&
  panel(
    'Left out',
    html`<div class="flush">
      ${table({
        caption: 'Left out',
        columns: ['Provider', 'Why', 'Detail'],
        rows: excluded.map(({ provider, reason, detail }) => [
          html`<span class="strong">${provider}</span>`,
          words(reason),
          detail ?? 'none',
        ]),
        empty: '',
      })}
    </div>`,
  );
