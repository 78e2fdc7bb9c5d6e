import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type OneProcess, startOneProcess } from '../gateway/one-process.ts';
import { email, password } from '../oauth/gateway.ts';
import { startChromium } from '../support/chromium.ts';
import { takePicture } from '../support/pages.ts';
import { openOwner, type Visitor } from './visitor.ts';

describe('the requests of the dashboard', () => {
  let gateway: OneProcess;
  let browser: Browser;
  let owner: Visitor;
  const visitors: Visitor[] = [];
  beforeAll(async () => {
    const environment = { BOOTSTRAP_ADMIN_EMAIL: email, BOOTSTRAP_ADMIN_PASSWORD: password };
    [gateway, browser] = await Promise.all([startOneProcess(environment), startChromium()]);
    owner = await openOwner(browser, gateway.baseUrl);
  }, 180_000);
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
    await expect.poll(async () => (await rows()).length, { timeout: 20_000 }).toBe(count);
    return rows();
  };

  const firstOffers = async (visitor: Visitor): Promise<string[]> =>
    (await visitor.rows('Scores')).map(([offer = '']) => offer);

  test('follows a failed-over request from the list to its attempts and its cost', async () => {
    await breakFirst();
    const id = await chat({ stream: true });
    const [row] = await listed(`id=${id}`, 1);
    expect(row).toEqual([
      expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC Chat, streamed$/),
      '200 failed over',
      'sandbox-chat sandbox-b',
      'local',
      expect.stringMatching(/^\d+ → \d+$/),
      expect.stringMatching(/^\$0/),
      expect.stringMatching(/first/),
    ]);
    await owner.page.getByRole('table', { name: 'Requests' }).getByRole('link').first().click();
    expect(await owner.page.getByRole('img', { name: 'in all' }).getAttribute('aria-label')).toMatch(
      /in all: sandbox-a failed after .+ \(provider overloaded\), then sandbox-b answered in/,
    );
    const attempts = await owner.rows('Attempts');
    expect(attempts.map(([provider, result]) => [provider, result])).toEqual([
      ['1. sandbox-a', '503 provider overloaded'],
      ['2. sandbox-b', '200'],
    ]);
    expect((await owner.rows('Cost')).map(([counted]) => counted)).toEqual(['Prompt tokens', 'Answer tokens']);
    expect(await owner.page.getByRole('region', { name: 'Request id' }).textContent()).toBe(id);
    expect(await owner.page.getByRole('link', { name: 'Ask again in the playground' }).getAttribute('href')).toBe(
      '/dashboard/default/playground?models=sandbox-chat',
    );
    await takePicture(owner.page, 'dashboard-request');
  });

  test('filters stay in the address, and a wrong one says what is wrong', async () => {
    await chat({ model: 'unknown-model' });
    await listed('error=model_not_found', 1);
    await owner.go('requests');
    await owner.page.getByLabel('Errors').selectOption('model_not_found');
    await owner.press('Filter');
    expect(new URL(owner.page.url()).searchParams.get('error')).toBe('model_not_found');
    expect((await owner.rows('Requests')).map((cells) => cells.slice(1, 4))).toEqual([
      ['404 model not found', 'unknown-model no provider', 'local'],
    ]);
    await owner.page.getByText('More filters').click();
    await owner.fill({ 'HTTP status': '9999' });
    await owner.press('Filter');
    expect(await owner.page.getByRole('alert').textContent()).toContain('status');
    expect(await owner.page.getByLabel('HTTP status').inputValue()).toBe('9999');
    await owner.follow('Clear');
    expect((await owner.rows('Requests')).length).toBeGreaterThan(1);
  });

  test('new requests appear while the page is shown, until they are paused', async () => {
    const watcher = await openOwner(browser, gateway.baseUrl, { javaScriptEnabled: true });
    visitors.push(watcher);
    await watcher.go('requests');
    await watcher.page.evaluate('window.isSamePage = true');
    const before = await watcher.rows('Requests');
    await chat({ model: 'another-unknown-model' });
    const newest = async () => (await watcher.rows('Requests'))[0]?.[2];
    await expect.poll(newest, { timeout: 20_000 }).toBe('another-unknown-model no provider');
    expect((await watcher.rows('Requests')).length).toBe(before.length + 1);
    await watcher.press('Pause live updates');
    expect(await watcher.page.getByRole('button', { name: 'Resume live updates' }).isVisible()).toBe(true);
    const id = await chat({ model: 'a-third-unknown-model' });
    await listed(`id=${id}`, 1);
    expect(await newest()).toBe('another-unknown-model no provider');
    await watcher.press('Resume live updates');
    await expect.poll(newest, { timeout: 20_000 }).toBe('a-third-unknown-model no provider');
    expect(await watcher.page.evaluate('window.isSamePage')).toBe(true);
    await watcher.page.context().clearCookies();
    await watcher.page.getByText('Live updates have stopped.').waitFor();
  });

  test('shows the list page by page', async () => {
    const ids: string[] = [];
    for (let at = 0; at < 51; at += 1) ids.push(await chat());
    const firstLink = () =>
      owner.page.getByRole('table', { name: 'Requests' }).getByRole('link').first().getAttribute('href');
    await listed(`id=${ids.at(-1)}`, 1);
    const newest = await firstLink();
    await listed('last=24h', 50);
    await owner.follow('Older');
    const rows = await owner.rows('Requests');
    expect(rows.length).toBeGreaterThan(0);
    expect(new URL(owner.page.url()).searchParams.get('last')).toBe('24h');
    await owner.follow('Newest');
    expect(await firstLink()).toBe(newest);
  });

  test('scores the offers of a request, and shows what would follow if the first provider were ill', async () => {
    const id = await chat();
    await listed(`id=${id}`, 1);
    await owner.page.getByRole('table', { name: 'Requests' }).getByRole('link').first().click();
    await owner.follow('Score its offers as they are now');
    expect(await owner.page.getByLabel('Model').inputValue()).toBe('sandbox-chat');
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
    await expect
      .poll(async () => (await firstOffers(watcher)).at(-1), { timeout: 20_000 })
      .toBe(`3. ${provider} was 1.`);
    expect(await slider.getAttribute('aria-valuetext')).toBe('0 %');
    expect(await watcher.page.evaluate('window.isSamePage')).toBe(true);
  });

  test('a request is opened with the keyboard alone', async () => {
    await owner.go('requests');
    const link = owner.page.getByRole('table', { name: 'Requests' }).getByRole('link').first();
    await link.focus();
    await owner.page.keyboard.press('Enter');
    await owner.page.getByRole('heading', { level: 2, name: 'Cost' }).waitFor();
  });
});
