import { alertConditionSchema, type AlertCondition } from '@tallyport/management';
import { expect, test } from 'vitest';
import { type AlertForm, alertInput, alertValues } from './fields.ts';

const form = (type: AlertCondition['type']): AlertForm => ({
  type,
  owners: {
    keys: [{ id: 'key_1', name: 'checkout' }],
    projects: [{ id: 'project_1', name: 'search' }],
    search: undefined,
    hasMoreKeys: false,
  },
  providers: [],
  hasEmail: true,
});

const record = (condition: object) => ({
  id: 'alert_1',
  name: 'an alert',
  condition: alertConditionSchema.parse(condition),
  webhook: { url: 'https://example.com/hook' },
  emails: ['a@example.com', 'b@example.com'],
  enabled: true,
  firing: [],
  createdAt: '',
  updatedAt: '',
});

test.each([
  { type: 'budget', scope: 'account', percent: 80 },
  { type: 'budget', scope: 'project', percent: 80 },
  { type: 'budget', scope: 'project', id: 'project_1', percent: 80 },
  { type: 'budget', scope: 'key', percent: 100 },
  { type: 'budget', scope: 'key', id: 'key_1', percent: 1 },
  { type: 'provider_uptime', below: 99.5, hours: 1, atLeast: 10 },
  { type: 'provider_uptime', below: 95, hours: 24, atLeast: 100, provider: 'mistral' },
  { type: 'error_rate', above: 0.5, hours: 2, atLeast: 3, model: 'large' },
  { type: 'error_rate', above: 5, hours: 1, atLeast: 10, per: 'model', key: 'key_1' },
  { type: 'latency', above: 2000, hours: 3, atLeast: 5, model: 'large' },
  { type: 'daily_cost', scope: 'account', above: 12.5 },
  { type: 'daily_cost', scope: 'key', id: 'key_1', above: 1 },
  { type: 'key_expiry', days: 14 },
  { type: 'key_expiry', days: 1, key: 'key_1' },
] as const)('round-trips %o through the form', (condition) => {
  const alert = record(condition);
  const { name, webhook, emails } = alert;
  const input = alertInput(form(condition.type), alertValues(form(condition.type), alert), { emptied: true });
  expect(input).toEqual({ name, webhook, emails, condition });
});

test('removes receivers whose fields were emptied', () => {
  const alert = record({ type: 'key_expiry', days: 14 });
  const values = { ...alertValues(form('key_expiry'), alert), emails: '' };
  expect(alertInput(form('key_expiry'), values, { emptied: true })).toMatchObject({ emails: null });
  expect(alertInput(form('key_expiry'), values, { emptied: false })).not.toHaveProperty('emails');
});
