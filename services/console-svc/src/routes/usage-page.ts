import type { RouteRecord, UsedModel, UsedRoute } from '@tallyport/management';
import { countUnit, dollars, heading, type Html, html, moment, table, timeUnit } from '@tallyport/pages';
import { modelReason } from '../requests/reasons.ts';
import { queryOf } from '../screen/query-of.ts';

interface UsagePage {
  base: string;
  route: RouteRecord;
  used: UsedRoute | undefined;
  /** Whether it is the usage of the whole account. */
  isOfAll: boolean;
  /** The id of the project that pays for the shadow. */
  projectOfShadow: string | undefined;
}

/** The models that answered for a route beside each other, so that a canary or a shadow can be judged. */
export const usagePage = ({ base, route, used, isOfAll, projectOfShadow }: UsagePage): Html =>
  html`${heading({
    title: `Usage of ${route.name}`,
    text:
      used === undefined
        ? undefined
        : html`The newest requests ${isOfAll ? 'of the account' : 'that you may see'} since ${moment(used.since)}, the
          last change of the targets at the earliest.`,
    back: { href: `${base}/routes`, text: 'Routes' },
  })}
  ${table({
    caption: `Models that answered for ${route.name}`,
    columns: [
      'Model',
      'Place',
      { title: 'Requests', kind: 'number' },
      { title: 'Failed', kind: 'number' },
      { title: 'Cost per request', kind: 'number' },
      { title: 'Tokens per answer', kind: 'number' },
      { title: 'Median time', kind: 'number' },
    ],
    rows: (used?.models ?? []).map((model) => [
      html`<code>${model.model}</code>`,
      modelReason(model.reason),
      countUnit.exact(model.requests),
      countUnit.exact(model.failed),
      ...figuresOf(model),
    ]),
    empty: 'No request has asked for this route since its targets last changed.',
  })}
  ${
    projectOfShadow !== undefined &&
    html`<p class="small">
      <a href="${base}/analytics?${queryOf({ by: 'model', project: projectOfShadow }).toString()}"
        >The shadow in Analytics</a
      >
    </p>`
  }`;

/** Without answers from the cache, which cost no money and no time. */
const figuresOf = ({ costPerRequest, tokensPerAnswer, durationMs }: UsedModel): string[] => [
  costPerRequest === undefined ? '–' : dollars(costPerRequest),
  tokensPerAnswer === undefined ? '–' : countUnit.exact(tokensPerAnswer),
  durationMs === undefined ? '–' : timeUnit.exact(durationMs),
];
