import { readFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Gateway, startGateway } from '../gateway/in-process.ts';
import { email, password } from '../oauth/gateway.ts';
import { startChromium } from '../support/chromium.ts';
import { takePicture } from '../support/pages.ts';
import { openOwner, type Visitor } from './visitor.ts';

// Long: it walks through many pages in a browser.
// About: services/console-svc/src, packages/pages/src, services/ledger-svc/src/requests.

describe('the requests of the dashboard', () => {
  let gateway: Gateway;
  let browser: Browser;
  let owner: Visitor;
  const visitors: Visitor[] = [];
  beforeAll(async () => {
    const environment = { BOOTSTRAP_ADMIN_EMAIL: email, BOOTSTRAP_ADMIN_PASSWORD: password };
    [gateway, browser] = await Promise.all([startGateway(environment), startChromium()]);
    owner = await openOwner(browser, gateway.baseUrl);
  });
  afterEach(async () => {
    await Promise.all(visitors.splice(0).map((visitor) => visitor.close()));
    await fetch(`${gateway.sandboxUrl}/control/faults`, { method: 'DELETE' });
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.stop();
  });

  const breakFirst = () =>
    fetch(`${gateway.sandboxUrl}/control/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ provider: 'sandbox-a', fault: 'status:503' }),
    });

  /** Sends a chat and returns its id. */
  async function chat(body: object = {}): Promise<string> {
    const response = await fetch(`${gateway.baseUrl}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.apiKey}`, 'content-type': 'application/json', 'x-no-cache': 'true' },
      body: JSON.stringify({ model: 'sandbox-chat', messages: [{ role: 'user', content: 'Hello' }], ...body }),
    });
    await response.text();
    return response.headers.get('x-request-id') ?? '';
  }

  /** Opens the list until it has so many rows: records are in the ledger soon after the response. */
  const listed = async (query: string, count: number): Promise<string[][]> => {
    const rows = async () => {
      await owner.go(`requests?${query}`);
      return owner.rows('Requests');
    };
    await expect.poll(async () => (await rows()).length).toBe(count);
    return rows();
  };

  const firstRequest = () => owner.page.getByRole('table', { name: 'Requests' }).locator('td a').first();

  const firstOffers = async (visitor: Visitor): Promise<string[]> =>
    (await visitor.rows('Scores')).map(([offer = '']) => offer);

  test('follows a failed-over request from the list to its attempts and its cost', async () => {
    await breakFirst();
    const id = await chat({ stream: true });
    const [row] = await listed(`id=${id}`, 1);
    expect(row).toEqual([
      expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      '200 failed over',
      'sandbox-chat',
      'sandbox-b',
      'local',
      expect.stringMatching(/^\d+ → \d+$/),
      expect.stringMatching(/^\$0/),
      expect.stringMatching(/s$/),
    ]);
    await firstRequest().click();
    expect(await owner.page.getByRole('img', { name: 'in all' }).getAttribute('aria-label')).toMatch(
      /in all: sandbox-a failed after .+ \(provider overloaded\), then sandbox-b answered in/,
    );
    const attempts = await owner.rows('Attempts');
    expect(attempts.map(([provider, result, message]) => [provider, result, message])).toEqual([
      ['1. sandbox-a', '503 provider overloaded', expect.stringContaining('sandbox-a failed with status 503')],
      ['2. sandbox-b', '200', 'none'],
    ]);
    expect((await owner.rows('Scores')).map(([offer, happened]) => [offer, happened])).toEqual([
      ['1. sandbox-a', '503 provider overloaded'],
      ['2. sandbox-b', '200'],
      ['3. sandbox-c', 'Not tried: sandbox-b answered.'],
    ]);
    expect((await owner.rows('Cost')).map(([counted]) => counted)).toEqual(['Prompt tokens', 'Answer tokens']);
    expect(await owner.page.getByRole('region', { name: 'Request id' }).textContent()).toBe(id);
    expect(await owner.page.getByRole('link', { name: 'Ask again in the playground' }).getAttribute('href')).toMatch(
      /^\/dashboard\/default\/playground\?request=use_[0-9a-f]{32}$/,
    );
    await takePicture(owner.page, 'dashboard-request');
    await owner.follow('Keep them from now on');
    await owner.fill({ 'Keep prompts and answers for': '7' });
    await owner.press('Save');
    expect(await owner.page.getByText('The operator can allow it: LOG_CONTENT=true.').count()).toBe(1);
  });

  test('colours are chosen in the menu, and the page stays', async () => {
    await owner.go('requests?last=24h');
    const chosen = () =>
      owner.page.evaluate('[document.documentElement.dataset.theme, getComputedStyle(document.body).colorScheme]');
    expect(await chosen()).toEqual([undefined, 'light dark']);
    await owner.press('Dark');
    expect(new URL(owner.page.url()).search).toBe('?last=24h');
    expect(await chosen()).toEqual(['dark', 'dark']);
    await owner.go('overview');
    expect(await owner.page.getByRole('button', { name: 'Dark' }).getAttribute('aria-pressed')).toBe('true');
    await owner.press('System');
    expect(await chosen()).toEqual([undefined, 'light dark']);
  });

  test('the choice of colours is in the window without scrolling, on a phone in the opened menu', async () => {
    const visitor = await openOwner(browser, gateway.baseUrl);
    visitors.push(visitor);
    const colours = visitor.page.getByRole('form', { name: 'Colours' });
    const endOf = async () => {
      const box = await colours.boundingBox();
      return box === null ? Infinity : box.y + box.height;
    };
    for (const [width, height] of [
      [1_440, 900],
      [1_180, 600],
      [390, 844],
    ] as const) {
      await visitor.page.setViewportSize({ width, height });
      await visitor.go('requests');
      if (width === 390) await visitor.press('Requests');
      expect([width, await colours.isVisible(), (await endOf()) <= height]).toEqual([width, true, true]);
    }
    // The link before it is not under it when it gets the focus.
    const zone = visitor.page.getByRole('link', { name: 'Times in UTC' });
    await zone.focus();
    const box = await zone.boundingBox();
    expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThanOrEqual((await colours.boundingBox())?.y ?? 0);
  });

  test('filters stay in the address, and a wrong one says what is wrong', async () => {
    await chat({ model: 'unknown-model' });
    await listed('error=model_not_found', 1);
    await owner.go('requests');
    await owner.page.getByText('More filters').click();
    await owner.page.getByLabel('Error').selectOption('model_not_found');
    await owner.press('Filter');
    expect(new URL(owner.page.url()).searchParams.get('error')).toBe('model_not_found');
    expect((await owner.rows('Requests')).map((cells) => cells.slice(1, 5))).toEqual([
      ['404 model not found', 'unknown-model', 'none', 'local'],
    ]);
    expect(await owner.page.getByRole('listitem').filter({ hasText: 'Error model_not_found' }).count()).toBe(1);
    await owner.page.getByText('More filters').click();
    await owner.fill({ 'HTTP status': '9999' });
    await owner.press('Filter');
    expect(await owner.page.getByRole('alert').textContent()).toBe('HTTP status must be a number from 100 to 599.');
    expect(await owner.page.locator('#status').inputValue()).toBe('9999');
    await owner.follow('Clear');
    expect((await owner.rows('Requests')).length).toBeGreaterThan(1);
  });

  test('outcomes, providers and keys are chosen by their words, and a chip removes each', async () => {
    await breakFirst();
    const id = await chat();
    await listed(`id=${id}`, 1);
    await owner.go('requests');
    await owner.page.getByLabel('Outcome').selectOption('rescued');
    await owner.fill({ 'Answered by': 'sandbox-b', Key: 'LOCAL' });
    await owner.page.getByText('More filters').click();
    await owner.fill({ Tried: 'sandbox-a', 'Failed at': 'sandbox-a' });
    await owner.press('Filter');
    const found = await owner.rows('Requests');
    expect(found.length).toBeGreaterThan(0);
    expect(new Set(found.map(([, outcome, , provider, key]) => [outcome, provider, key].join()))).toEqual(
      new Set(['200 failed over,sandbox-b,local']),
    );
    expect(await owner.page.locator('.sums').textContent()).toContain(`${found.length} request`);
    expect(await owner.page.locator('#key').inputValue()).toBe('local');
    await owner.follow('Remove the filter Outcome rescued');
    await owner.follow('Remove the filter Answered by sandbox-b');
    expect(await owner.page.getByRole('list', { name: 'Filters' }).getByRole('listitem').allInnerTexts()).toEqual([
      'Key local Remove',
      'Tried sandbox-a Remove',
      'Failed at sandbox-a Remove',
    ]);
    await owner.go('requests?outcome=failed&failed_at=sandbox-b');
    expect(await owner.page.getByText('No request of this period matches.').isVisible()).toBe(true);
  });

  test('heads sort, columns are chosen, and both stay when filters change', async () => {
    await chat();
    await owner.go('requests?outcome=ok');
    await owner.follow('Duration');
    const head = () => owner.page.locator('th[aria-sort]').innerText();
    expect(await head()).toContain('Duration');
    expect(await owner.page.locator('th[aria-sort]').getAttribute('aria-sort')).toBe('descending');
    await owner.page.getByText('Columns', { exact: true }).click();
    await owner.follow('Key');
    await owner.page.getByText('Columns', { exact: true }).click();
    await owner.follow('Request id');
    await owner.fill({ Model: 'sandbox-chat' });
    await owner.press('Filter');
    expect(await head()).toContain('Duration');
    const heads = await owner.page.getByRole('columnheader').allInnerTexts();
    expect(heads.map((text) => text.replace(/\W*$/, ''))).toEqual([
      'Time', 'Outcome', 'Model', 'Provider', 'Tokens', 'Cost', 'Duration', 'Request id',
    ]); // prettier-ignore
    await owner.follow('Time');
    expect(await head()).toContain('Time');
    expect(new URL(owner.page.url()).searchParams.get('sort')).toBeNull();
  });

  test('the list is downloaded with its filters, in a file that names them', async () => {
    await owner.go('requests?outcome=ok&period=24h');
    const [download] = await Promise.all([owner.page.waitForEvent('download'), owner.follow('Download as CSV')]);
    expect(download.suggestedFilename()).toMatch(/^requests-ok-\d{4}-\d\d-\d\d-to-\d{4}-\d\d-\d\d\.csv$/);
    const [, ...lines] = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
    expect(await owner.page.locator('.sums strong').first().textContent()).toBe(String(lines.length));
    const note = owner.page.getByText('The CSV has all requests of the list');
    expect(await note.count()).toBe(0);
    await owner.go('requests?outcome=ok&period=24h&sort=cost');
    expect(await note.count()).toBe(1);
  });

  test('the outcomes are explained below their filter', async () => {
    await owner.go('requests');
    const meaning = owner.page.getByText('The gateway refused it before a provider was called');
    expect(await meaning.isVisible()).toBe(false);
    await owner.page.getByText('What the outcomes mean').focus();
    await owner.page.keyboard.press('Enter');
    expect(await meaning.isVisible()).toBe(true);
  });

  test.each([
    ['outcome=lost', 'Outcome must be one of'],
    ['sort=<b>name</b>', 'Sorted by must be one of'],
    [`model=${'m'.repeat(500)}`, 'Model must have at most 200 characters.'],
    ['from=yesterday&to=tomorrow', 'Choose a beginning that is before the end'],
  ])('the wrong address %s says what is wrong', async (query, problem) => {
    await owner.go(`requests?${query}`);
    expect(await owner.page.getByRole('alert').textContent()).toContain(problem);
  });

  test('new requests appear while the page is shown, until they are paused', async () => {
    const watcher = await openOwner(browser, gateway.baseUrl, { javaScriptEnabled: true });
    visitors.push(watcher);
    await watcher.go('requests');
    await watcher.page.evaluate('window.isSamePage = true');
    const before = await watcher.rows('Requests');
    await chat({ model: 'another-unknown-model' });
    const newest = async () => (await watcher.rows('Requests'))[0]?.[2];
    await expect.poll(newest).toBe('another-unknown-model');
    expect((await watcher.rows('Requests')).length).toBe(before.length + 1);
    await watcher.press('Pause live updates');
    expect(await watcher.page.getByRole('button', { name: 'Resume live updates' }).isVisible()).toBe(true);
    const id = await chat({ model: 'a-third-unknown-model' });
    await listed(`id=${id}`, 1);
    expect(await newest()).toBe('another-unknown-model');
    await watcher.press('Resume live updates');
    await expect.poll(newest).toBe('a-third-unknown-model');
    expect(await watcher.page.evaluate('window.isSamePage')).toBe(true);
    await watcher.page.context().clearCookies();
    await watcher.page.getByText('Live updates have stopped.').waitFor();
  });

  test('shows the list page by page', async () => {
    const ids: string[] = [];
    for (let at = 0; at < 51; at += 1) ids.push(await chat());
    const firstLink = () => firstRequest().getAttribute('href');
    await listed(`id=${ids.at(-1)}`, 1);
    const newest = await firstLink();
    await listed('period=24h', 50);
    expect(await owner.page.getByRole('link', { name: 'Newest' }).count()).toBe(0);
    await owner.follow('Older');
    const rows = await owner.rows('Requests');
    expect(rows.length).toBeGreaterThan(0);
    expect(new URL(owner.page.url()).searchParams.get('period')).toBe('24h');
    await owner.follow('Newest');
    expect(await firstLink()).toBe(newest);
  });

  test('scores the offers of a request, and shows what would follow if the first provider were ill', async () => {
    const id = await chat();
    await listed(`id=${id}`, 1);
    await firstRequest().click();
    await owner.follow('Score its offers as they are now');
    expect(await owner.page.getByLabel('Model').inputValue()).toBe('sandbox-chat');
    expect(await owner.page.locator('#models option[value="sandbox-chat"]').count()).toBe(1);
    expect((await owner.rows('Settings of routing'))[0]?.slice(0, 2)).toEqual(['ROUTING_UPTIME_WEIGHT', '0.5']);
    expect(await owner.page.getByRole('link', { name: 'provider keys', exact: true }).count()).toBe(1);
    const [first = ''] = await firstOffers(owner);
    const provider = first.replace(/^1\. /, '');
    await owner.page.getByRole('group', { name: provider }).getByLabel('Uptime').fill('40');
    await owner.press('Show what would follow');
    expect(new URL(owner.page.url()).searchParams.get(`uptime.${provider}`)).toBe('40');
    expect((await firstOffers(owner)).at(-1)).toBe(`3. ${provider} was 1.`);
    await owner.follow('As it is');
    expect((await firstOffers(owner))[0]).toBe(first);
  });

  test('a slider shows its effect at once, also for a pasted request, which is in no address', async () => {
    const watcher = await openOwner(browser, gateway.baseUrl, { javaScriptEnabled: true });
    visitors.push(watcher);
    await watcher.go('routing');
    await watcher.fill({ 'Body as JSON': '{"model":"sandbox-chat","max_tokens":9,"messages":[]' });
    await watcher.press('Show its route');
    expect(await watcher.page.getByRole('alert').textContent()).toContain('This is not a JSON object.');
    await watcher.fill({
      'Body as JSON': '{"model":"sandbox-chat","max_tokens":9,"messages":[{"role":"user","content":"Hi"}]}',
    });
    await watcher.press('Show its route');
    expect(watcher.page.url()).toBe(`${gateway.baseUrl}/dashboard/default/routing`);
    const [first = ''] = await firstOffers(watcher);
    const provider = first.replace(/^1\. /, '');
    await watcher.page.evaluate('window.isSamePage = true');
    const slider = watcher.page.getByRole('group', { name: provider }).getByLabel('Uptime');
    await slider.focus();
    await watcher.page.keyboard.press('Home');
    await expect.poll(async () => (await firstOffers(watcher)).at(-1)).toBe(`3. ${provider} was 1.`);
    expect(await slider.getAttribute('aria-valuetext')).toBe('0 %');
    expect(await watcher.page.evaluate('window.isSamePage')).toBe(true);
  });

  test('a request is opened with the keyboard alone', async () => {
    await owner.go('requests');
    const link = firstRequest();
    await link.focus();
    await owner.page.keyboard.press('Enter');
    await owner.page.getByRole('heading', { level: 2, name: 'Cost' }).waitFor();
  });
});
