import { readFile } from 'node:fs/promises';
import { keyIdOfClient } from '@tallyport/management';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OAuthGateway, startOneOAuthGateway } from '../oauth/gateway.ts';
import { startChromium } from '../support/chromium.ts';
import { takePicture } from '../support/pages.ts';
import { afterTurnOf, dayMs } from '../support/turn-of.ts';
import { writeTraffic } from './traffic.ts';
import { openOwner, type Visitor } from './visitor.ts';

describe('the screens that observe', () => {
  let gateway: OAuthGateway;
  let browser: Browser;
  let owner: Visitor;
  beforeAll(async () => {
    [gateway, browser] = await Promise.all([startOneOAuthGateway(), startChromium()]);
    owner = await openOwner(browser, gateway.baseUrl);
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await gateway?.stop();
  });

  /** A key, and an application that acts for the owner. */
  const keyIds = async (): Promise<string[]> => {
    const { kysely } = gateway.database;
    const [key] = await kysely.selectFrom('api_keys').select('id').execute();
    const [user] = await kysely.selectFrom('users').select('id').execute();
    return [key?.id ?? '', keyIdOfClient('https://agent.example.com/client.json', user?.id)];
  };

  const tile = (name: string) => owner.page.locator('.totals .panel', { hasText: name }).locator('dd').first();
  const hrefs = (name: string) =>
    owner.page
      .getByRole('link', { name, exact: true })
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')));

  test('the overview begins with the steps to a first request, which works', async () => {
    expect(stepsOf(await owner.page.getByRole('listitem').allInnerTexts())).toEqual([
      'Connect a provider done',
      'Create an API key done',
      'Send the first request',
      'Set a budget, if you want one',
    ]);
    await takePicture(owner.page, 'overview-first-steps');
    const example = await owner.page.getByRole('region', { name: 'First request' }).textContent();
    expect(example).toContain(`curl ${gateway.baseUrl}/v1/chat/completions`);
    const [, body = ''] = /-d '(.+)'$/.exec(example ?? '') ?? [];
    const headers = { authorization: `Bearer ${gateway.apiKey}`, 'content-type': 'application/json' };
    const url = `${gateway.baseUrl}/v1/chat/completions`;
    expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(200);
    await expect
      .poll(() => owner.go('overview').then(() => owner.page.getByText('First steps').count()), { timeout: 30_000 })
      .toBe(0);
    await writeTraffic(gateway.database, await keyIds());
  });

  test('the overview shows the last day, incidents, and what was used most', async () => {
    await owner.go('overview');
    expect(await tile('Requests').textContent()).toMatch(/^\d{3}$/);
    expect(await owner.page.locator('.sparkline').count()).toBe(4);
    expect(
      (await owner.rows('Incidents')).map(([provider, from, ...more]) => [provider, from?.slice(-3), ...more]),
    ).toEqual([
      ['groq', 'UTC', '1', '100 %'],
      ['groq', 'UTC', '1', '100 %'],
    ]);
    expect((await owner.rows('Top models'))[0]?.[0]).toBe('claude-sonnet-4.5');
    expect(await owner.rows('Top keys')).toHaveLength(2);
    await owner.follow('gpt-5.2');
    expect((await owner.rows('Usage by model')).map(([name]) => name)).toEqual(['gpt-5.2']);
  });

  test('the overview shows what is spent of the budget, or that there is none', async () => {
    await owner.go('overview');
    expect(await owner.page.getByText('has no budget.').isVisible()).toBe(true);
    const accounts = gateway.database.kysely.updateTable('accounts').where('id', '=', 'default');
    await accounts.set({ budget: JSON.stringify({ amount: '100', period: 'month' }) }).execute();
    await owner.go('overview');
    expect(await owner.page.getByText('of $100 per month spent').isVisible()).toBe(true);
    expect(await owner.page.getByText(/Starts again \d{4}-\d\d-01 00:00 UTC/).isVisible()).toBe(true);
  });

  test('analytics adds up a period, compares it with the one before, and lists its groups', async () => {
    await owner.go('analytics');
    const [first] = await owner.rows('Usage by model');
    expect(first?.[0]).toBe('claude-sonnet-4.5');
    expect(await tile('Requests').textContent()).toMatch(/^[\d,]+$/);
    expect(await tile('Rescued by failover').textContent()).not.toBe('0');
    expect(await owner.page.getByText(/^[+−]\d+ % from /).count()).toBeGreaterThan(5);
    await owner.follow('Provider');
    expect((await owner.rows('Usage by provider')).map(([name]) => name)).toContain('No provider');
    await owner.follow('Key');
    const names = (await owner.rows('Usage by key')).map(([name]) => name);
    expect(names.toSorted()).toEqual(['agent.example.com for ada@example.com', 'local']);
    await owner.follow('7 days');
    expect(owner.page.url()).toContain('analytics?period=7d&by=key');
  });

  test('every bar and every figure of analytics leads to its requests', async () => {
    await owner.go('analytics?period=24h&by=provider');
    const bars = await owner.page
      .locator('.plot a')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
    expect(bars.length).toBeGreaterThan(100);
    for (const bar of bars) {
      const { pathname, searchParams } = new URL(bar ?? '', gateway.baseUrl);
      expect(pathname).toBe('/dashboard/default/requests');
      expect(Date.parse(searchParams.get('to') ?? '') - Date.parse(searchParams.get('from') ?? '')).toBe(3_600_000);
    }
    expect(bars.some((bar) => bar?.endsWith('&provider=groq'))).toBe(true);
    expect(bars.some((bar) => bar?.endsWith('&error=upstream_error'))).toBe(true);
    expect(bars.every((bar) => !bar?.includes('client_closed_request'))).toBe(true);
    expect((await hrefs('groq'))[0]).toContain('/requests?from=');
  });

  test('the table behind a chart opens with the keyboard and has its numbers', async () => {
    await afterTurnOf(dayMs);
    await owner.go('analytics?period=7d');
    await owner.page.getByText('Show as a table').first().focus();
    await owner.page.keyboard.press('Enter');
    const rows = await owner.rows('Cost');
    expect(rows.map(([day]) => day)).toEqual(
      Array.from({ length: 7 }, (_, at) => new Date(Date.now() - (6 - at) * 86_400_000).toISOString().slice(0, 10)),
    );
  });

  test('a filter restricts analytics, and a click removes it', async () => {
    await owner.go('analytics?provider=groq');
    expect((await owner.rows('Usage by model')).map(([name]) => name)).toEqual(['llama-3.3-70b-versatile']);
    await owner.follow('Remove the filter provider groq');
    expect((await owner.rows('Usage by model')).length).toBeGreaterThan(5);
  });

  test('all requests of the period can be downloaded as CSV', async () => {
    await owner.go('analytics?period=7d');
    const [download] = await Promise.all([owner.page.waitForEvent('download'), owner.follow('Download as CSV')]);
    expect(await readFile(await download.path(), 'utf8')).toMatch(/^at,[^]*\n\d{4}-.*,gpt-5\.2,/);
  });

  test('a period without requests says so', async () => {
    await owner.go('analytics?key=none_has_this_id');
    expect(await owner.page.getByText('There was no usage in this period.').isVisible()).toBe(true);
    expect(await owner.page.locator('.plot').count()).toBe(0);
  });
});

/** The first line of each step. */
const stepsOf = (items: readonly string[]): string[] =>
  items.filter((text) => /^(Connect|Create|Send|Set) /.test(text)).map((text) => text.split('\n')[0] ?? '');

/** As edge compresses pages. */
