import { readFile } from 'node:fs/promises';
import { keyIdOfClient } from '@tallyport/management';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OAuthGateway, startOneOAuthGateway } from '../oauth/gateway.ts';
import { startChromium } from '../support/chromium.ts';
import { takePicture } from '../support/pages.ts';
import { afterTurnOf, dayMs } from '../support/turn-of.ts';
import { writeRequest, writeTraffic } from './traffic.ts';
import { openOwner, type Visitor } from './visitor.ts';

// Long: it walks through many pages in a browser.
// About: services/console-svc/src, packages/pages/src, services/ledger-svc/src/usage.

describe('the screens that observe', () => {
  let gateway: OAuthGateway;
  let browser: Browser;
  let owner: Visitor;
  beforeAll(async () => {
    [gateway, browser] = await Promise.all([startOneOAuthGateway(), startChromium()]);
    owner = await openOwner(browser, gateway.baseUrl);
  });
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
    await expect.poll(() => owner.go('overview').then(() => owner.page.getByText('First steps').count())).toBe(0);
    await writeTraffic(gateway.database, await keyIds());
  });

  test('the overview shows the last day, incidents, and what was used most', async () => {
    await owner.go('overview');
    expect(await tile('Requests').textContent()).toMatch(/^\d{3}$/);
    expect(await owner.page.locator('.sparkline').count()).toBe(5);
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

  test.each([
    ['no-preference', 'arrive'],
    ['reduce', 'none'],
  ] as const)('the numbers of the overview are renewed and marked (motion: %s)', async (reducedMotion, animation) => {
    const watcher = await openOwner(browser, gateway.baseUrl, { javaScriptEnabled: true, reducedMotion });
    const { page } = watcher;
    await page.clock.install();
    await watcher.go('overview');
    const values = () => page.locator('.of-day > .panel > dd:nth-of-type(1)').allInnerTexts();
    const inPage = (script: string) => page.evaluate<string>(`JSON.stringify(${script})`);
    const places = () =>
      inPage(`[...document.querySelectorAll('.of-day > *')].map((each) => [each.offsetTop, each.offsetHeight])`);
    const [before, placesBefore] = [await values(), await places()];
    await page.locator('.of-day').getByRole('link', { name: 'Cost' }).focus();
    await page.evaluate('window.isSamePage = true');
    await writeRequest(gateway.database, (await keyIds())[0] ?? '');
    const renewed = page.waitForResponse((response) => response.url().endsWith('/overview?only=figures'));
    await page.clock.fastForward(15_000);
    await renewed;
    await expect.poll(async () => (await values())[0]).toBe(String(Number(before[0]) + 1));
    const now = await values();
    expect(await page.locator('.of-day dd.changed').allInnerTexts()).toEqual(
      now.filter((value, at) => value !== before[at]),
    );
    expect(await inPage(`getComputedStyle(document.querySelector('.changed')).animationName`)).toBe(
      JSON.stringify(animation),
    );
    expect(await places()).toBe(placesBefore);
    expect(await inPage('[window.isSamePage, document.activeElement.textContent]')).toBe('[true,"Cost"]');
    await watcher.press('Pause live updates');
    expect(await page.getByRole('button', { name: 'Resume live updates' }).isVisible()).toBe(true);
    await watcher.close();
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

  test('the overview begins with what is firing and what runs out, and the menu counts it', async () => {
    const { kysely } = gateway.database;
    const alert = { id: 'alert_of_a_test', account_id: 'default', name: 'spend', webhook_url: 'https://example.com' };
    const condition = JSON.stringify({ type: 'budget', scope: 'account', percent: 80 });
    // It is not due, so that nothing resolves it.
    const later = new Date(Date.now() + 3_600_000);
    await kysely
      .insertInto('alerts')
      .values({ ...alert, condition, checked_at: later, updated_at: later })
      .execute();
    const firing = { alert_id: alert.id, subject: 'default', subject_name: 'Default', value: 90 };
    await kysely.insertInto('alert_firings').values(firing).execute();
    const accounts = kysely.updateTable('accounts').where('id', '=', 'default');
    await accounts.set({ budget: JSON.stringify({ amount: '0.01', period: 'month' }) }).execute();
    await owner.go('overview');
    const items = owner.page.getByRole('region', { name: 'Now' }).getByRole('listitem');
    expect((await items.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '))).toEqual([
      'firing spend: Default',
      expect.stringMatching(/^\d+ % spent Budget of Default$/),
    ]);
    await owner.follow('spend: Default');
    expect(await owner.heading()).toBe('spend');
    await owner.page.getByRole('link', { name: 'Budgets and Alerts 1 firing' }).click();
    await kysely.deleteFrom('alerts').where('id', '=', alert.id).execute();
    await accounts.set({ budget: JSON.stringify({ amount: '100', period: 'month' }) }).execute();
    await owner.go('overview');
    expect(await owner.page.getByText('No alert is firing, no provider is degraded').isVisible()).toBe(true);
    // The menu waits for no count: it has the one of the page before.
    const uncounted = owner.page.getByRole('link', { name: 'Budgets and Alerts', exact: true });
    const isUncounted = () => owner.go('overview').then(() => uncounted.isVisible());
    await expect.poll(isUncounted).toBe(true);
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
    const bars = async () => {
      const links = await owner.page
        .locator('.plot a')
        .evaluateAll((found) => found.map((link) => link.getAttribute('href') ?? ''));
      return links.map((link) => new URL(link, gateway.baseUrl));
    };
    const lengths = (links: readonly URL[]) =>
      new Set(links.map(({ searchParams: of }) => Date.parse(of.get('to') ?? '') - Date.parse(of.get('from') ?? '')));
    await owner.go('analytics?period=24h&by=provider');
    const ofHours = await bars();
    expect(ofHours.length).toBeGreaterThan(100);
    expect(ofHours.every(({ pathname }) => pathname === '/dashboard/default/requests')).toBe(true);
    expect(lengths(ofHours)).toEqual(new Set([3_600_000]));
    expect((await hrefs('groq'))[0]).toContain('/requests?from=');
    await owner.go('analytics?period=7d&by=provider');
    const ofDays = (await bars()).map(({ search }) => search);
    expect(lengths(await bars())).toEqual(new Set([dayMs]));
    expect(ofDays.some((bar) => bar.endsWith('&provider=groq'))).toBe(true);
    expect(ofDays.some((bar) => bar.endsWith('&error=upstream_error'))).toBe(true);
    expect(ofDays.every((bar) => !bar.includes('client_closed_request'))).toBe(true);
  });

  test('incidents and rescued requests lead to exactly their requests', async () => {
    await owner.go('overview');
    await owner.page.getByRole('link', { name: 'groq', exact: true }).first().click();
    await owner.page.waitForLoadState();
    const failed = await owner.rows('Requests');
    expect(failed.length).toBeGreaterThan(0);
    expect(new Set(failed.map(([, outcome, , provider]) => `${outcome} ${provider}`))).toEqual(
      new Set(['ok failed over mistral']),
    );
    await owner.go('analytics?period=7d');
    const rescued = await tile('Rescued by failover').textContent();
    await owner.follow('Rescued by failover');
    expect(new Set((await owner.rows('Requests')).map(([, outcome]) => outcome))).toEqual(new Set(['ok failed over']));
    expect(await owner.page.locator('.sums strong').first().textContent()).toBe(rescued);
  });

  test('the table behind a chart opens with the keyboard and has its numbers', async () => {
    await afterTurnOf(dayMs);
    await owner.go('analytics?period=7d');
    await owner.page.getByRole('link', { name: 'Show as a table: Cost' }).focus();
    await owner.page.keyboard.press('Enter');
    await owner.page.waitForURL('**/analytics?**table=Cost#cost');
    const rows = await owner.rows('Cost');
    expect(rows.map(([day]) => day)).toEqual(
      Array.from({ length: 7 }, (_, at) => new Date(Date.now() - (6 - at) * 86_400_000).toISOString().slice(0, 10)),
    );
  });

  test('which model became slower since yesterday is one click, and hours are compared with those before', async () => {
    await owner.go('overview');
    await owner.follow('Latency p95');
    expect(owner.page.url()).toContain('analytics?period=24h&sort=p95.change');
    const changes = (await owner.rows('Usage by model')).map(
      (row) => /p95.*|[\d.]+ m?s ([+−×][\d,]+)/.exec(row[4] ?? '')?.[1],
    );
    const growths = changes.flatMap((change) =>
      change === undefined ? [] : [Number(change.replace('−', '-').replace('×', '1000'))],
    );
    expect(growths.length).toBeGreaterThan(2);
    expect(growths).toEqual(growths.toSorted((one, other) => other - one));
    expect(await owner.page.locator('table .change.worse').count()).toBeGreaterThan(0);
    await owner.page.getByRole('columnheader').getByRole('link', { name: 'Requests' }).click();
    await owner.page.waitForLoadState();
    const requests = (await owner.rows('Usage by model')).map((row) =>
      Number(/[\d,]+/.exec(row[2] ?? '')?.[0].replaceAll(',', '')),
    );
    expect(requests.slice(0, -1)).toEqual(requests.slice(0, -1).toSorted((one, other) => other - one));
    await owner.follow('p95 by model');
    expect(await owner.page.locator('#latency .lines path').count()).toBeGreaterThan(3);
  });

  test('a period is chosen by name, or from one time to another in the zone of the reader', async () => {
    await owner.go('analytics?by=provider');
    await owner.follow('Last month');
    expect(owner.page.url()).toContain('analytics?period=last-month&by=provider');
    await owner.go('time-zone');
    await owner.page.getByLabel('Time zone').selectOption('Asia/Tokyo');
    await owner.press('Save');
    await owner.go('analytics?period=24h');
    await owner.page.getByText('From–to').click();
    const [day = '', next = ''] = [2, 1].map((ago) => new Date(Date.now() - ago * dayMs).toISOString().slice(0, 10));
    await owner.page.locator('#period-from').fill(`${day}T09:00`);
    await owner.page.locator('#period-to').fill(`${next}T09:00`);
    await owner.press('Show period');
    const { searchParams } = new URL(owner.page.url());
    expect([searchParams.get('from'), searchParams.get('zone')]).toEqual([`${day}T09:00`, 'Asia/Tokyo']);
    expect(await owner.page.locator('table a.strong').first().getAttribute('href')).toContain(
      `/requests?from=${day}T00:00Z&to=${next}T00:00Z`,
    );
    await owner.go('analytics?from=tomorrow');
    expect(await owner.page.getByRole('alert').textContent()).toContain('before the end');
    await owner.page.context().clearCookies({ name: 'tallyport-time-zone' });
  });

  test('pages of a key, model, provider, member and project know their usage, and the list of keys its cost', async () => {
    await owner.go('keys');
    const [[, , cost] = []] = await owner.rows('API keys');
    expect(cost).toMatch(/^\$\d/);
    await owner.follow('This month');
    expect(owner.page.url()).toContain('keys?sort=cost');
    expect((await owner.rows('API keys')).map(([, , first]) => first)).toEqual([cost]);
    const [keyId = ''] = await keyIds();
    const [user] = await gateway.database.kysely.selectFrom('users').select('id').execute();
    for (const [page, query] of [
      [`keys/${keyId}`, `key=${keyId}`],
      ['models/sandbox-chat', 'model=sandbox-chat'],
      ['providers/groq', 'provider=groq'],
      [`members/${user?.id}`, `member=${user?.id}`],
    ]) {
      expect([page, await owner.go(page ?? '')]).toEqual([page, 200]);
      const strip = owner.page.getByRole('region', { name: 'Usage', exact: true });
      expect(await strip.locator('dd').first().textContent()).toMatch(/^\$\d/);
      expect(await strip.getByRole('link', { name: 'Latency p95' }).getAttribute('href')).toContain(
        `period=month&${query}`,
      );
      expect(await strip.getByRole('link', { name: 'Failed' }).getAttribute('href')).toContain(`${query}&error=any`);
      await strip.getByRole('link', { name: 'Analytics' }).click();
      expect(await owner.page.getByText('There was no usage in this period.').count()).toBe(0);
    }
    await owner.go(`members/${user?.id}`);
    await owner.page
      .getByRole('region', { name: 'Usage', exact: true })
      .getByRole('link', { name: 'Requests', exact: true })
      .click();
    expect(await owner.page.getByRole('list', { name: 'Filters' }).textContent()).toContain('ada@example.com');
    expect((await owner.rows('Requests')).length).toBeGreaterThan(0);
  });

  test('a chart shows its values under the pointer and with the arrow keys', async () => {
    await afterTurnOf(dayMs);
    const watcher = await openOwner(browser, gateway.baseUrl, { javaScriptEnabled: true });
    await watcher.go('analytics?period=7d');
    const plot = watcher.page.getByRole('group', { name: 'Requests: values with the arrow keys' });
    const values = plot.locator('.plot-values-at');
    const yesterday = new RegExp(`^${new Date(Date.now() - dayMs).toISOString().slice(0, 10)}: \\d`);
    await plot.focus();
    await watcher.page.keyboard.press('End');
    await watcher.page.keyboard.press('ArrowLeft');
    expect(await values.innerText()).toMatch(yesterday);
    await watcher.page.keyboard.press('Escape');
    expect(await values.isVisible()).toBe(false);
    const box = await plot.locator('.plot-marks').boundingBox();
    if (box === null) throw new Error('The chart has no size.');
    await watcher.page.mouse.move(box.x + (box.width * 5.5) / 7, box.y + 40);
    expect(await values.innerText()).toMatch(yesterday);
    await watcher.close();
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
