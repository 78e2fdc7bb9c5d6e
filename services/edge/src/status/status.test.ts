import type { ProviderUptimes } from '@tallyport/contracts';
import { render } from '@tallyport/pages';
import { expect, test } from 'vitest';
import { publicStatus, type StatusSources } from './status.ts';
import { statusDocument } from './status-document.ts';
import { statusFeed } from './status-feed.ts';
import { statusPage } from './status-page.ts';

const now = Date.UTC(2026, 10, 23, 14, 20);
const uptimes: ProviderUptimes = {
  providers: [
    { provider: 'beta', days: [{ day: '2026-11-23', uptime: 1 }] },
    {
      provider: 'alpha',
      days: [
        { day: '2026-11-21', uptime: 0.9 },
        { day: '2026-11-22' },
        { day: '2026-11-23', uptime: 0.99999 },
        { day: '2026-07-01', uptime: 0 },
      ],
    },
    { provider: 'of-a-customer', days: [{ day: '2026-11-23', uptime: 0.5 }] },
  ],
  incidents: [
    { provider: 'beta', from: '2026-11-23T13:00:00.000Z', to: '2026-11-23T15:00:00.000Z', uptime: 0.9 },
    { provider: 'alpha', from: '2026-11-20T10:00:00.000Z', to: '2026-11-20T11:00:00.000Z', uptime: 0.51239 },
    { provider: 'of-a-customer', from: '2026-11-20T10:00:00.000Z', to: '2026-11-20T11:00:00.000Z', uptime: 0 },
  ],
};

const statusOf = (available: StatusSources['available']) => publicStatus({ uptimes, available, now });
const both = statusOf([
  { provider: 'beta', state: 'operational' },
  { provider: 'alpha', state: 'operational' },
  { provider: 'never-called', state: 'outage' },
]);

test('the document has providers with a key and calls, and their incidents', () => {
  expect(statusDocument(both)).toEqual({
    object: 'status',
    status: 'degraded',
    description: 'Some providers have problems',
    updated_at: '2026-11-23T14:20:00.000Z',
    period_days: 90,
    providers: [
      {
        provider: 'alpha',
        status: 'operational',
        uptime: 0.9499,
        days: [
          { day: '2026-11-21', uptime: 0.9 },
          { day: '2026-11-23', uptime: 0.99999 },
        ],
      },
      // Operational by itself, but its incident lasts until the end of the hour.
      { provider: 'beta', status: 'degraded', uptime: 1, days: [{ day: '2026-11-23', uptime: 1 }] },
    ],
    incidents: [
      { provider: 'beta', started_at: '2026-11-23T13:00:00.000Z', ended_at: null, resolved: false, uptime: 0.9 },
      {
        provider: 'alpha',
        started_at: '2026-11-20T10:00:00.000Z',
        ended_at: '2026-11-20T11:00:00.000Z',
        resolved: true,
        uptime: 0.51239,
      },
    ],
  });
});

test('the overall state is that of all providers together', () => {
  expect(both.state).toBe('degraded');
  expect(statusOf([{ provider: 'alpha', state: 'operational' }]).state).toBe('operational');
  expect(statusOf([{ provider: 'alpha', state: 'outage' }]).state).toBe('outage');
  expect(statusOf([{ provider: 'never-called', state: 'outage' }])).toMatchObject({ state: 'unknown', providers: [] });
});

test('an incident lasts until the end of its last hour', () => {
  const endsAt = (time: number) =>
    publicStatus({ uptimes, available: [{ provider: 'beta', state: 'operational' }], now: time }).incidents[0]?.to;
  expect([endsAt(Date.UTC(2026, 10, 23, 14, 59, 59, 999)), endsAt(Date.UTC(2026, 10, 23, 15))]).toEqual([
    undefined,
    '2026-11-23T15:00:00.000Z',
  ]);
});

test('the page has the state, ninety bars per provider, and the times of incidents', () => {
  const page = render(statusPage(both));
  expect(page).toContain('<strong>Some providers have problems</strong>');
  expect(page.match(/<rect\s+class="(good|warn|bad|none)"/g)).toHaveLength(180);
  expect(page).toContain('Uptime by day, known for 2 of 90 days, lowest 90 % on 2026-11-21.');
  expect(page).toContain('<title>2026-11-22: too few calls</title>');
  expect(page).toContain('2026-11-20 10:00 UTC');
  expect(page).toMatch(/1 hour[^]*51\.23 %[^]*resolved/);
  expect(page).not.toContain('of-a-customer');
  expect(page).not.toContain('never-called');
});

test('the page says so if no provider was called', () => {
  expect(render(statusPage(statusOf([])))).toContain('No provider has been called yet');
});

test('the feed has an entry for each incident, with names escaped', () => {
  const feed = render(statusFeed(both));
  expect(feed).toMatch(/^<\?xml version="1.0" encoding="utf-8"\?>\n<feed xmlns="http:\/\/www.w3.org\/2005\/Atom">/);
  expect(feed.match(/<id>.*<\/id>/g)).toEqual([
    '<id>urn:tallyport:status</id>',
    '<id>urn:tallyport:incident:beta:2026-11-23T13:00:00.000Z</id>',
    '<id>urn:tallyport:incident:alpha:2026-11-20T10:00:00.000Z</id>',
  ]);
  expect(feed).toContain('<updated>2026-11-23T13:00:00.000Z</updated>');
  expect(feed).toContain(
    'Since 2026-11-20T10:00:00.000Z, alpha answered 51.23 % of its calls. It ended at 2026-11-20T11:00:00.000Z, after 1 hour.',
  );
  expect(render(statusFeed({ ...both, incidents: [{ provider: '<&', from: both.at, uptime: 0 }] }))).toContain(
    '<title>&lt;&amp;: ongoing</title>',
  );
});
