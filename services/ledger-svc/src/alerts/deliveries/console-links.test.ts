import type { AlertCondition } from '@tallyport/management';
import { expect, test } from 'vitest';
import { consoleLinks } from './console-links.ts';

const event = { kind: 'fired', at: new Date('2026-11-23T11:20:00Z'), alertId: 'alert_1', accountId: 'acme' } as const;
const base = 'https://gateway.example/dashboard/acme';
const shares = { hours: 2, atLeast: 10 };
const twoHours = 'from=2026-11-23T10%3A00%3A00.000Z&to=2026-11-23T11%3A20%3A00.000Z';
const today = 'from=2026-11-23T00%3A00%3A00.000Z&to=2026-11-23T11%3A20%3A00.000Z';

test.each<[AlertCondition, subject: string, page: string, requests: string]>([
  [{ type: 'budget', scope: 'account', percent: 80 }, 'acme', 'account', ''],
  [{ type: 'budget', scope: 'project', percent: 80 }, 'project_1', 'projects/project_1', 'project=project_1'],
  [{ type: 'daily_cost', scope: 'key', above: 5 }, 'key_1', 'keys/key_1', `key=key_1&${today}`],
  [{ type: 'daily_cost', scope: 'account', above: 5 }, 'acme', 'account', today],
  [{ type: 'provider_uptime', below: 99, ...shares }, 'alpha', 'providers/alpha', `failed_at=alpha&${twoHours}`],
  [{ type: 'error_rate', above: 5, ...shares }, 'acme', 'overview', `outcome=failed&${twoHours}`],
  [
    { type: 'error_rate', above: 5, per: 'model', key: 'key_1', ...shares },
    'lab/large',
    'models/lab%2Flarge',
    `model=lab%2Flarge&key=key_1&outcome=failed&${twoHours}`,
  ],
  [
    { type: 'error_rate', above: 5, per: 'key', ...shares },
    'key_1',
    'keys/key_1',
    `key=key_1&outcome=failed&${twoHours}`,
  ],
  [
    { type: 'error_rate', above: 5, per: 'key', ...shares },
    'workload_ci:main',
    'analytics?key=workload_ci%3Amain',
    `key=workload_ci%3Amain&outcome=failed&${twoHours}`,
  ],
  [{ type: 'latency', model: 'large', above: 500, ...shares }, 'large', 'models/large', `model=large&${twoHours}`],
  [{ type: 'key_expiry', days: 3 }, 'key_1', 'keys/key_1', 'key=key_1'],
  [{ type: 'vendor_difference', above: 1 }, 'openai', 'alerts/alert_1', 'provider=openai'],
])('%o leads to its object and its requests', (condition, subject, page, requests) => {
  const links = consoleLinks('https://gateway.example', { ...event, subject, condition });
  const [path, query] = (links.requests ?? '').split('?');
  expect([links.console, path]).toEqual([`${base}/${page}`, `${base}/requests`]);
  expect(new URLSearchParams(query)).toEqual(new URLSearchParams(requests));
});

test('a test, and a condition of a newer version, lead to the alert', () => {
  const links = { console: `${base}/alerts/alert_1` };
  const condition = { type: 'key_expiry', days: 3 } as const;
  const place = 'https://gateway.example';
  expect(consoleLinks(place, { ...event, kind: 'test', subject: 'alert_1', condition })).toEqual(links);
  expect(consoleLinks(place, { ...event, subject: 'x', condition: undefined })).toEqual(links);
});
