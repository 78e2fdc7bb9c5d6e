import {
  badge,
  heading,
  type Html,
  html,
  lasted,
  layout,
  moment,
  panel,
  percent,
  table,
  type Tone,
  uptimeBars,
} from '@tallyport/pages';
import { type ProviderStatus, type PublicStatus, type StatusIncident, statusPeriods, stateTexts } from './status.ts';

const tones: Readonly<Record<PublicStatus['state'], Tone>> = {
  operational: 'good',
  degraded: 'warn',
  outage: 'bad',
  unknown: 'plain',
};

/** The page for people without an account. It is the same for every visitor. */
export const statusPage = ({ state, at, providers, incidents }: PublicStatus): Html =>
  layout({
    title: 'Status',
    width: 'wide',
    body: html`${heading({
        title: 'Status',
        text: html`As of ${moment(at)}. All times are in UTC.`,
      })}
      <p class="note ${tones[state]}" role="status"><strong>${stateTexts[state]}</strong></p>
      ${table({
        caption: 'Providers',
        columns: ['Provider', 'Now', `Uptime in ${statusPeriods.days} days`],
        rows: providers.map(providerRow),
        empty: 'The state of providers is shown once requests have been answered.',
      })}
      ${panel(
        'Incidents',
        table({
          caption: 'Incidents',
          columns: ['Provider', 'From', 'Until', 'Lasted', { title: 'Answered', kind: 'number' }, 'State'],
          rows: incidents.map(incidentRow),
          empty: `There was no incident in ${statusPeriods.incidentDays} days.`,
        }),
        `Hours of the last ${statusPeriods.incidentDays} days in which a provider answered less than 95 % of its calls. If a model has several providers, its requests move to the others.`,
      )}
      <p class="quiet small">
        Also as <a href="/status.json">JSON</a> and as an <a href="/status.atom">Atom feed</a>.
      </p>`,
  });

const providerRow = ({ provider, state, uptime, days }: ProviderStatus) => [
  html`<span class="strong">${provider}</span>`,
  badge(state, tones[state]),
  html`<div class="uptime-cell">
    ${uptimeBars(days, 'too few calls')}<span class="small"
      >${uptime === undefined ? html`<span class="quiet">too few calls</span>` : percent(uptime)}</span
    >
  </div>`,
];

const incidentRow = ({ provider, from, to, uptime }: StatusIncident) => [
  html`<span class="strong">${provider}</span>`,
  moment(from),
  to === undefined ? html`<span class="quiet">–</span>` : moment(to),
  to === undefined ? html`<span class="quiet">–</span>` : lasted(from, to),
  percent(uptime),
  to === undefined ? badge('ongoing', 'warn') : badge('resolved', 'good'),
];
