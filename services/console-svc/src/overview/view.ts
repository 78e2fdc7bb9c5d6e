import type { Incident } from '@tallyport/management';
import { countUnit, dollarUnit, heading, type Html, html, moment, percentUnit, table } from '@tallyport/pages';
import type { UsageGroup } from '../analytics/groups.ts';
import { requestsAddress } from '../screen/request-links.ts';
import { type Attention, attentionPart } from './attention.ts';
import { firstSteps, type FirstSteps } from './first-steps.ts';
import { lastDay, type LastDay } from './last-day.ts';
import { type Spend, spendPart } from './spend.ts';

export interface OverviewPage {
  base: string;
  attention: Attention;
  day: LastDay;
  spend: Spend;
  /** Of all providers of the gateway in the last seven days, newest first. */
  incidents: readonly Incident[];
  /** Of the last thirty days. */
  models: readonly UsageGroup[];
  keys: readonly UsageGroup[];
}

/** Shown until a request was answered: there is nothing else to show. */
export const firstStepsPage = (steps: FirstSteps): Html =>
  html`${heading({ title: 'Overview', text: 'What the gateway does appears here with the first request.' })}
  ${firstSteps(steps)}`;

export const overviewPage = (page: OverviewPage): Html =>
  html`${heading({ title: 'Overview', text: 'Hours and days are those of UTC.' })} ${attentionPart(page.attention)}
    ${lastDay(page.day)}
    <div class="halves">
      ${spendPart(page.spend)}
      <section>
        <h2>Incidents of the last 7 days</h2>
        ${incidentTable(page)}
      </section>
      ${top(page, 'model', page.models)} ${top(page, 'key', page.keys)}
    </div>`;

const mostIncidents = 5;

const incidentTable = ({ base, incidents }: OverviewPage): Html =>
  table({
    caption: 'Incidents',
    columns: ['Provider', 'From', { title: 'Hours', kind: 'number' }, { title: 'Failed', kind: 'number' }],
    rows: incidents
      .slice(0, mostIncidents)
      .map(({ provider, from, to, uptime }) => [
        html`<a class="strong" href="${requestsAddress(base, { from, to, failed_at: provider })}">${provider}</a>`,
        moment(from),
        (Date.parse(to) - Date.parse(from)) / 3_600_000,
        percentUnit.exact(1 - uptime),
      ]),
    empty: 'No provider failed more than one of twenty calls in an hour.',
  });

const top = ({ base }: OverviewPage, by: 'model' | 'key', groups: readonly UsageGroup[]): Html =>
  html`<section>
    <h2>Top ${by}s of the last 30 days</h2>
    ${table({
      caption: `Top ${by}s`,
      columns: [
        by === 'model' ? 'Model' : 'Key',
        { title: 'Requests', kind: 'number' },
        { title: 'Cost', kind: 'number' },
      ],
      rows: groups
        .filter(({ id }) => id !== undefined)
        .map(({ id = '', title, total: { requests, cost } }) => [
          id === ''
            ? title
            : html`<a
                class="strong"
                href="${base}/analytics?${new URLSearchParams({ period: '30d', [by]: id }).toString()}"
                >${title}</a
              >`,
          countUnit.exact(requests),
          dollarUnit.exact(cost),
        ]),
      empty: 'There were no requests.',
    })}
  </section>`;
