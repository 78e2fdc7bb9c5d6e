import type { ApiKey } from '@tallyport/contracts';
import type { AlertRecord } from '@tallyport/management';
import { expect, test } from 'vitest';
import { describeStep } from '../describe-changes.ts';
import { readGatewayDocument } from '../read-gateway-document.ts';
import { emptyAccount, testedAt as createdAt } from '../testing/account-state.ts';
import { planAlerts } from './plan-alerts.ts';

const secret = `whsec_${'A'.repeat(44)}4711`;
const url = 'https://hooks.example/path-that-is-secret';
const webhook = { url, secret: { fromEnv: 'WEBHOOK_SECRET' } };

const key = (id: string, name: string): ApiKey => ({ id, name, prefix: 'sk-tp-0', createdAt });
const ranking = { id: 'project_1', name: 'ranking', createdAt, keys: 0, members: 0, spent: '0' };
const alert = (name: string, changes: Partial<AlertRecord>): AlertRecord => ({
  id: `alert_${name}`,
  name,
  condition: { type: 'budget', scope: 'account', percent: 80 },
  enabled: true,
  firing: [],
  createdAt,
  updatedAt: createdAt,
  ...changes,
});

const documentOf = (alerts: object) =>
  readGatewayDocument(
    'gateway.yaml',
    JSON.stringify({ apiVersion: 'tallyport/v1', kind: 'Gateway', accounts: { Search: { alerts } } }),
  ).document.accounts['Search']?.alerts ?? {};

interface Existing {
  alerts?: AlertRecord[];
  keys?: ApiKey[];
  newKeys?: string[];
  newProjects?: string[];
}

function plan(entry: object, { alerts = [], keys = [], newKeys = [], newProjects = [] }: Existing = {}) {
  const state = { ...emptyAccount, projects: [ranking], alerts, keys };
  const part = { account: 'Search', entry: documentOf(entry), state };
  const { steps, extra, problems, unchanged } = planAlerts(part, { secrets: () => secret, newKeys, newProjects });
  return { steps: steps.map(describeStep), extra: extra.map(describeStep), problems, unchanged };
}

const budget = { type: 'budget', percent: 80 };
const expiry = { type: 'key_expiry', key: 'website', days: 14 };

test('an alert is created with the defaults of its condition, and without its secrets in the plan', () => {
  const condition = { type: 'error_rate', above: 5 };
  expect(plan({ errors: { condition, webhook, emails: ['Ada@example.com'] } })).toEqual({
    steps: [
      'create  alert "errors": condition {"above":5,"atLeast":10,"hours":1,"type":"error_rate"}, emails ["ada@example.com"], enabled true, webhook hooks.example',
    ],
    extra: [],
    problems: [],
    unchanged: 0,
  });
});

test('an alert that is as wanted is unchanged, and others are deleted only on request', () => {
  const alerts = [
    alert('money', { webhook: { url, lastFour: '4711' } }),
    alert('expiry', { condition: { type: 'key_expiry', key: 'key_1', days: 14 }, emails: ['ada@example.com'] }),
    alert('by hand', {}),
  ];
  const entry = { money: { condition: budget, webhook }, expiry: { condition: expiry, emails: ['ada@example.com'] } };
  expect(plan(entry, { alerts, keys: [key('key_1', 'website')] })).toEqual({
    steps: [],
    extra: ['delete  alert "by hand"'],
    problems: [],
    unchanged: 2,
  });
});

test.each<[string, Partial<AlertRecord>, string]>([
  [
    'another condition',
    { condition: { type: 'budget', scope: 'account', percent: 50 } },
    'condition {"percent":50,"scope":"account","type":"budget"} → {"percent":80,"scope":"account","type":"budget"}',
  ],
  ['a receiver by hand', { emails: ['ada@example.com'] }, 'emails ["ada@example.com"] → none'],
  ['off', { enabled: false }, 'enabled false → true'],
  [
    'another host',
    { webhook: { url: 'https://other.example', lastFour: '4711' } },
    'webhook other.example → hooks.example',
  ],
  [
    'another path',
    { webhook: { url: 'https://hooks.example/other', lastFour: '4711' } },
    'webhook another address at hooks.example → hooks.example',
  ],
  ['no webhook', { webhook: undefined, emails: undefined }, 'webhook none → hooks.example'],
  ['another secret', { webhook: { url, lastFour: '0815' } }, 'secret another secret → the secret it refers to'],
  ['a secret that was not recorded', { webhook: { url } }, 'secret another secret → the secret it refers to'],
])('an alert that has %s is changed', (_what, changes, text) => {
  const alerts = [alert('money', { webhook: { url, lastFour: '4711' }, ...changes })];
  expect(plan({ money: { condition: budget, webhook } }, { alerts })).toEqual({
    steps: [`change  alert "money": ${text}`],
    extra: [],
    problems: [],
    unchanged: 0,
  });
});

test('a condition follows the name of its key, and may name one of the same document', () => {
  const alerts = [
    alert('expiry', { condition: { type: 'key_expiry', key: 'key_0', days: 14 }, emails: ['a@b.example'] }),
  ];
  const entry = { expiry: { condition: expiry, emails: ['a@b.example'] } };
  const steps = [
    'change  alert "expiry": condition {"days":14,"key":"key_0","type":"key_expiry"} → {"days":14,"key":"website","type":"key_expiry"}',
  ];
  const revoked = { ...key('key_0', 'website'), revokedAt: createdAt };
  expect(plan(entry, { alerts, keys: [revoked, key('key_1', 'website')] })).toMatchObject({ steps, problems: [] });
  expect(plan(entry, { alerts, keys: [revoked], newKeys: ['website'] })).toMatchObject({ steps, problems: [] });
});

test('a condition names a project, also one of the same document, but no other', () => {
  const ofProject = (name: string) => ({
    money: { condition: { ...budget, scope: 'project', name }, emails: ['a@b.example'] },
  });
  const condition = { type: 'budget', scope: 'project', id: ranking.id, percent: 80 } as const;
  const alerts = [alert('money', { condition, emails: ['a@b.example'] })];
  expect(plan(ofProject('ranking'), { alerts })).toMatchObject({ steps: [], problems: [], unchanged: 1 });
  expect(plan(ofProject('new'), { alerts, newProjects: ['new'] })).toMatchObject({
    steps: [
      'change  alert "money": condition {"name":"ranking","percent":80,"scope":"project","type":"budget"} → {"name":"new","percent":80,"scope":"project","type":"budget"}',
    ],
    problems: [],
  });
  expect(plan(ofProject('new'), { newKeys: ['new'] }).problems).toMatchObject([
    { message: 'is not a project of the account; add it to projects' },
  ]);
});

test.each<[string, Existing, string]>([
  ['is not a key', {}, 'is not a key of the account; add it to keys'],
  [
    'is revoked',
    { keys: [{ ...key('key_1', 'website'), revokedAt: createdAt }] },
    'is not a key of the account; add it to keys',
  ],
  [
    'is the name of two keys',
    { keys: [key('key_1', 'website'), key('key_2', 'website')] },
    'is the name of several keys; rename or revoke all but one',
  ],
])('a name that %s is a problem', (_what, existing, message) => {
  const condition = { type: 'budget', scope: 'key', name: 'website', percent: 80 };
  const path = ['accounts', 'Search', 'alerts', 'money', 'condition', 'name'];
  expect(plan({ money: { condition, webhook } }, existing).problems).toEqual([{ path, message }]);
});

test('a secret that cannot sign is a problem that does not show it', () => {
  const part = { account: 'Search', entry: documentOf({ money: { condition: budget, webhook } }), state: undefined };
  expect(planAlerts(part, { secrets: () => 'hunter2', newKeys: [], newProjects: [] }).problems).toEqual([
    {
      path: ['accounts', 'Search', 'alerts', 'money', 'webhook', 'secret'],
      message: 'must be 32 to 256 characters of base64, with or without "whsec_" before them: openssl rand -base64 32',
    },
  ]);
});

test.each<[string, object, string]>([
  ['without a receiver', { condition: budget }, 'needs a webhook, or e-mail addresses'],
  [
    'with a secret in the document',
    { condition: budget, webhook: { url, secret } },
    'must be { fromEnv: NAME } or { fromFile: path }',
  ],
  [
    'that names something in the scope of the account',
    { condition: { ...budget, name: 'website' }, webhook },
    'needs the scope of what it names',
  ],
  ['that has the id of a key', { condition: { ...budget, scope: 'key', id: 'key_1' }, webhook }, 'unknown member "id"'],
])('an alert %s is refused', (_what, entry, problem) => {
  expect(() => documentOf({ money: entry })).toThrow(problem);
});
