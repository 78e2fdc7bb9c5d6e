import type { Row } from '@tallyport/database';
import type { AlertCondition } from '@tallyport/management';
import { expect, test } from 'vitest';
import { firedSummary } from '../summary.ts';
import { alertMail } from './alert-mail.ts';
import { alertMessage } from './message.ts';
import { webhookRequest } from './webhook-request.ts';

const at = new Date('2026-11-23T11:20:00Z');
const place = { accountName: 'Acme & <co>', publicUrl: 'https://gateway.example' };
const base = 'https://gateway.example/dashboard/acme';
const hour = 'from=2026-11-23T11%3A00%3A00.000Z&to=2026-11-23T11%3A20%3A00.000Z';
const today = 'from=2026-11-23T00%3A00%3A00.000Z&to=2026-11-23T11%3A20%3A00.000Z';
const shares = { hours: 1, atLeast: 10 };

type Subject = Pick<Row<'alert_events'>, 'subject' | 'subject_name'> & { value: number };

const eventOf = (condition: AlertCondition, { value, ...subject }: Subject): Row<'alert_events'> => ({
  id: 'alert_event_1',
  account_id: 'acme',
  alert_id: 'alert_1',
  alert_name: 'spend',
  condition,
  kind: 'fired',
  at,
  value,
  summary: firedSummary(condition, { name: subject.subject_name, value }),
  ...subject,
});

const account = { subject: 'acme', subject_name: 'Acme & <co>' };
const project = { subject: 'project_1', subject_name: 'search' };
const key = { subject: 'key_1', subject_name: '<b>shop</b>' };

/** The summary, the page of the dashboard and the filter of its requests. */
const kinds: readonly (readonly [AlertCondition, Subject, summary: string, page: string, requests: string])[] = [
  [
    { type: 'budget', scope: 'account', percent: 80 },
    { ...account, value: 85 },
    'The account Acme & <co> has spent 85 % of its budget (alert at 80 %).',
    'account',
    '',
  ],
  [
    { type: 'budget', scope: 'project', percent: 80 },
    { ...project, value: 85 },
    'The project search has spent 85 % of its budget (alert at 80 %).',
    'projects/project_1',
    '?project=project_1',
  ],
  [
    { type: 'budget', scope: 'key', percent: 80 },
    { ...key, value: 85 },
    'The key <b>shop</b> has spent 85 % of its budget (alert at 80 %).',
    'keys/key_1',
    '?key=key_1',
  ],
  [
    { type: 'daily_cost', scope: 'project', above: 5 },
    { ...project, value: 6.5 },
    'The project search has cost $6.50 today (alert above $5.00).',
    'projects/project_1',
    `?project=project_1&${today}`,
  ],
  [
    { type: 'provider_uptime', below: 99, ...shares },
    { subject: 'alpha/1', subject_name: 'alpha/1', value: 80 },
    '80 % of the calls of alpha/1 succeeded in this hour (alert below 99 %).',
    'providers/alpha%2F1',
    `?failed_at=alpha%2F1&${hour}`,
  ],
  [
    { type: 'error_rate', above: 5, ...shares },
    { ...account, value: 9 },
    '9 % of requests failed in this hour (alert above 5 %).',
    'overview',
    `?outcome=failed&${hour}`,
  ],
  [
    { type: 'error_rate', above: 5, per: 'model', ...shares },
    { subject: 'lab/large', subject_name: 'lab/large', value: 9 },
    '9 % of requests for lab/large failed in this hour (alert above 5 %).',
    'models/lab%2Flarge',
    `?model=lab%2Flarge&outcome=failed&${hour}`,
  ],
  [
    { type: 'error_rate', above: 5, per: 'key', ...shares },
    { ...key, value: 9 },
    '9 % of requests with the key <b>shop</b> failed in this hour (alert above 5 %).',
    'keys/key_1',
    `?key=key_1&outcome=failed&${hour}`,
  ],
  [
    { type: 'latency', above: 500, model: 'large', ...shares },
    { ...account, value: 1_200 },
    'The p95 of requests for large was 1.2 s in this hour (alert above 500 ms).',
    'models/large',
    `?model=large&${hour}`,
  ],
  [
    { type: 'key_expiry', days: 3 },
    { ...key, value: 2.5 },
    'The key <b>shop</b> expires in 3 days.',
    'keys/key_1',
    '?key=key_1',
  ],
  [
    { type: 'vendor_difference', above: 1 },
    { subject: 'openai', subject_name: 'openai', value: 3 },
    'The ledger differs from the bill of openai by 3 % (alert above 1 %).',
    'alerts/alert_1',
    '?provider=openai',
  ],
];

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const bodyIn = (event: Row<'alert_events'>, format: 'standard' | 'slack' | 'teams'): unknown =>
  JSON.parse(webhookRequest(alertMessage(event, place), { format, secret: 's'.repeat(32), now: at }).body);

test.each(kinds)('%o is sent in its own form, with its links', (condition, subject, summary, page, requests) => {
  expect(bodyIn(eventOf(condition, subject), 'standard')).toEqual({
    type: 'alert.fired',
    timestamp: '2026-11-23T11:20:00.000Z',
    text: summary,
    data: {
      alert: { id: 'alert_1', name: 'spend', condition },
      account: { id: 'acme', name: 'Acme & <co>' },
      subject: { id: subject.subject, name: subject.subject_name },
      value: subject.value,
      summary,
      links: { console: `${base}/${page}`, requests: `${base}/requests${requests}` },
    },
  });
});

test.each(kinds)('%o is sent to Slack with its links', (condition, subject, summary, page, requests) => {
  const plain = (text: string) => ({ type: 'plain_text', text, emoji: false });
  const links = `<${base}/${page}|Open in the console>  <${base}/requests${escaped(requests)}|Requests>`;
  expect(bodyIn(eventOf(condition, subject), 'slack')).toEqual({
    text: escaped(summary),
    blocks: [
      { type: 'header', text: plain('Alert: spend') },
      { type: 'section', text: plain(summary) },
      { type: 'context', elements: [plain('Account Acme & <co>, 2026-11-23 11:20 UTC')] },
      { type: 'section', text: { type: 'mrkdwn', text: links } },
    ],
  });
});

test.each(kinds)('%o is sent to Teams with its links', (condition, subject, summary, page, requests) => {
  const run = (text: string, look: object = {}) => ({
    type: 'RichTextBlock',
    inlines: [{ type: 'TextRun', text, ...look }],
  });
  const link = (title: string, url: string) => ({ type: 'Action.OpenUrl', title, url });
  expect(bodyIn(eventOf(condition, subject), 'teams')).toEqual({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.2',
          body: [
            run('Alert: spend', { weight: 'bolder', size: 'medium' }),
            run(summary),
            run('Account Acme & <co>, 2026-11-23 11:20 UTC', { isSubtle: true }),
          ],
          actions: [link('Open in the console', `${base}/${page}`), link('Requests', `${base}/requests${requests}`)],
        },
      },
    ],
  });
});

test.each(kinds)('%o is mailed with its links', (condition, subject, summary, page, requests) => {
  expect(alertMail(alertMessage(eventOf(condition, subject), place))).toEqual({
    subject: 'Alert: spend',
    lines: [
      summary,
      '',
      'Alert: spend',
      'Account: Acme & <co>',
      'Time: 2026-11-23T11:20:00.000Z',
      '',
      `Open in the console: ${base}/${page}`,
      `Requests: ${base}/requests${requests}`,
    ],
    headers: { 'x-tallyport-event': 'alert_event_1' },
  });
});
