import type { AlertDelivery, AlertEvent, AlertRecord } from '@tallyport/management';
import {
  actionsColumn,
  badge,
  buttonForm,
  copyable,
  heading,
  type Html,
  html,
  moment,
  pager,
  searchForm,
  table,
  type Tone,
} from '@tallyport/pages';
import {
  conditionText,
  conditionTitles,
  type ConditionType,
  conditionTypes,
  type OwnerNames,
} from './condition-text.ts';
import type { OfferedOwners } from './offered-owners.ts';

interface AlertList {
  base: string;
  csrfToken: string;
  alerts: readonly AlertRecord[];
  names: OwnerNames;
}

export const alertList = ({ base, csrfToken, alerts, names }: AlertList): Html =>
  html`<h2>Alerts</h2>
    ${table({
      caption: 'Alerts',
      columns: ['Name', 'Fires when', 'State', 'Receivers', actionsColumn],
      rows: alerts.map((alert) => [
        html`<a class="strong" href="${base}/alerts/${alert.id}">${alert.name}</a>`,
        conditionText(alert.condition, names),
        stateOf(alert),
        receiversOf(alert),
        actions(`${base}/alerts/${alert.id}`, alert, csrfToken),
      ]),
      empty: 'There are no alerts. Create one to learn of a budget, a provider or a key before your users do.',
    })}
    <p class="small">
      New alert:
      ${conditionTypes.map((type) => html`<a href="${newAlert(base, type)}">${conditionTitles[type].title}</a> · `)}
      <a href="${base}/alerts/history">History of all alerts</a>
    </p>`;

const newAlert = (base: string, type: ConditionType): string => `${base}/alerts/new/${type}`;

function stateOf({ enabled, firing }: AlertRecord): Html {
  if (!enabled) return badge('disabled');
  if (firing.length === 0) return badge('quiet', 'good');
  const names = firing.slice(0, 3).map(({ subjectName }) => subjectName);
  const more = firing.length > names.length ? ` and ${firing.length - names.length} more` : '';
  return html`<div>
    ${badge('firing', 'bad')} <span class="quiet small breaking">${names.join(', ')}${more}</span>
  </div>`;
}

const receiversOf = ({ webhook, emails = [], unconfirmedEmails = [] }: AlertRecord): Html =>
  html`<ul class="deliveries">
    ${webhook && html`<li>${hostOf(webhook.url)}</li>`}
    ${emails.map((email) => html`<li>${email} ${unconfirmedEmails.includes(email) && badge('not confirmed', 'warn')}</li>`)}
  </ul>`;

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);

const actions = (href: string, { name, enabled }: AlertRecord, csrfToken: string): Html =>
  html`${buttonForm({ action: `${href}/test`, csrfToken, button: 'Test', look: 'link', label: `Test ${name}` })}
    ${buttonForm({
      action: `${href}/enabled`,
      csrfToken,
      button: enabled ? 'Disable' : 'Enable',
      look: 'link',
      label: `${enabled ? 'Disable' : 'Enable'} ${name}`,
      fields: { enabled: enabled ? 'no' : 'yes' },
    })} <a class="bad" href="${href}/delete" aria-label="Delete ${name}">Delete</a>`;

/** The choice of what a new alert is about. */
export const conditionChoice = (base: string): Html =>
  html`${heading({
      title: 'Create an alert',
      text: 'It sends a message when it fires, and another one when it is resolved.',
      back: backTo(base),
    })}
    <ul class="cards">
      ${conditionTypes.map(
        (type) =>
          html`<li>
            <a class="panel" href="${newAlert(base, type)}"
              ><span class="strong">${conditionTitles[type].title}</span><br /><span class="quiet small"
                >${conditionTitles[type].text}</span
              ></a
            >
          </li>`,
      )}
    </ul>`;

/** Finds keys for the choice of the form. It is a form of its own, because it must not save the other one. */
export const keySearch = (place: string, { search, hasMoreKeys }: OfferedOwners): Html =>
  html`${
    (hasMoreKeys || search !== undefined) &&
    searchForm({
      action: place,
      label: 'Search keys',
      placeholder: 'Name or beginning of the key',
      text: search,
      kept: {},
    })
  }`;

/** The only page that shows the secret of a webhook. */
export const webhookSecretPage = (base: string, { name }: AlertRecord, secret: string): Html =>
  html`${heading({ title: name, back: backTo(base) })}
    <div class="panel padded">
      <p class="note warn">Copy the secret now. It is stored encrypted and not shown again.</p>
      ${copyable('Secret of the webhook', secret, 'chief')}
      <p class="note">
        Webhooks are signed with it, so that the receiver can check that they are from this gateway. They follow
        <a href="https://www.standardwebhooks.com" rel="noopener">Standard Webhooks</a>.
      </p>
      <div class="form-actions"><a class="button" href="${base}/budgets">I have copied it</a></div>
    </div>`;

interface HistoryPage {
  base: string;
  events: readonly AlertEvent[];
  /** The alert of which the events are; undefined for all. */
  alert: string | undefined;
  cursor: string | undefined;
  nextCursor: string | undefined;
}

export const historyPage = ({ base, events, alert, cursor, nextCursor }: HistoryPage): Html =>
  html`${heading({
    title: 'History of alerts',
    text: 'What fired, was resolved or tested in the last ninety days, and whether the messages arrived.',
    back: backTo(base),
  })}
  ${alert !== undefined && html`<p><a href="${base}/alerts/history">Show all alerts</a></p>`}
  ${table({
    caption: 'History of alerts',
    columns: ['Alert', 'Time', 'What happened', 'Messages'],
    rows: events.map((event) => [
      html`<a class="strong" href="${base}/alerts/history?alert=${event.alertId}">${event.alertName}</a>`,
      moment(event.at),
      html`<div>${badge(event.kind, kindTones[event.kind])} ${event.summary}</div>`,
      html`<ul class="deliveries">
        ${event.deliveries.map(deliveryPart)}
      </ul>`,
    ]),
    empty: 'No alert has fired yet.',
  })}
  ${pager({
    first: cursor === undefined ? undefined : historyAddress(base, alert),
    next: nextCursor === undefined ? undefined : historyAddress(base, alert, nextCursor),
  })}`;

function historyAddress(base: string, alert?: string, cursor?: string): string {
  const parameters = new URLSearchParams({
    ...(alert !== undefined && { alert }),
    ...(cursor !== undefined && { before: cursor }),
  });
  return parameters.size === 0 ? `${base}/alerts/history` : `${base}/alerts/history?${parameters.toString()}`;
}

const kindTones = { fired: 'bad', resolved: 'good', test: 'plain' } as const satisfies Record<AlertEvent['kind'], Tone>;

const stateTones = { delivered: 'good', waiting: 'warn', failed: 'bad' } as const satisfies Record<
  AlertDelivery['state'],
  Tone
>;

const deliveryPart = ({ to, state, attempts, lastError }: AlertDelivery): Html =>
  html`<li>
    ${badge(state, stateTones[state])}
    <span class="breaking">${to}</span>
    ${
      lastError !== undefined &&
      html`<br /><span class="quiet small"
          >${lastError} (${attempts === 1 ? '1 attempt' : `${attempts} attempts`})</span
        >`
    }
  </li>`;

export const back = { path: '/budgets', text: 'Budgets and Alerts' };

const backTo = (base: string) => ({ href: base + back.path, text: back.text });
