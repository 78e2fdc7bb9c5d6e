import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OneProcess, startOneProcess } from '../gateway/one-process.ts';
import { startChromium } from '../support/chromium.ts';

/** The folder for screenshots of the page: `PAGE_PICTURES=docs/images`. */
const pictures = process.env['PAGE_PICTURES'];

describe('the reference', () => {
  let running: OneProcess;
  let browser: Browser;
  beforeAll(async () => {
    [running, browser] = await Promise.all([startOneProcess(), startChromium()]);
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await running?.stop();
  });

  test('serves the document without authentication, with CORS and 304', async () => {
    const url = `${running.baseUrl}/openapi.json`;
    const response = await fetch(url, { headers: { origin: 'https://example.com' } });
    const { openapi, info } = (await response.json()) as { openapi: string; info: { title: string } };
    expect({ status: response.status, openapi, title: info.title }).toEqual({
      status: 200,
      openapi: '3.1.1',
      title: 'Switchyard',
    });
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(response.headers.get('x-request-id')).toBeTruthy();
    const known = { 'if-modified-since': response.headers.get('last-modified') ?? '', 'cache-control': 'max-age=0' };
    expect((await fetch(url, { headers: known })).status).toBe(304);
  });

  test('refuses other methods and other paths', async () => {
    const posted = await fetch(`${running.baseUrl}/docs`, { method: 'POST' });
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    const statuses = ['/docs/package.json', '/docs/..%2fopenapi.json', '/docs/page/index.html', '/docs/reference.ts'];
    for (const path of statuses) expect((await fetch(running.baseUrl + path)).status).toBe(404);
    const page = await fetch(`${running.baseUrl}/docs`, { method: 'HEAD' });
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self';");
  });

  test('the page shows every operation, can call one, and sends requests only to the gateway', async () => {
    const page = await browser.newPage({ viewport: { width: 1200, height: 900 } });
    const complaints = watch(page);
    await page.goto(`${running.baseUrl}/docs`);
    const chat = page.locator('#operations-Chat-createChatCompletion');
    await chat.waitFor();
    if (pictures !== undefined) await page.screenshot({ path: `${pictures}/reference.png` });
    const document = await (await fetch(`${running.baseUrl}/openapi.json`)).json();
    const { paths } = document as { paths: Record<string, object> };
    const operations = Object.values(paths).flatMap((methods) => Object.keys(methods));
    expect(await page.locator('.opblock').count()).toBe(operations.length);

    await page.getByRole('button', { name: 'Authorize' }).first().click();
    await page.locator('#auth-bearer-value').fill(running.apiKey);
    await page
      .locator('.auth-container', { hasText: 'bearer' })
      .getByRole('button', { name: 'Apply credentials' })
      .click();
    await page.getByRole('button', { name: 'Close' }).first().click();
    await chat.locator('.opblock-summary-control').click();
    await chat.getByRole('button', { name: 'Try it out' }).click();
    await chat.getByRole('button', { name: 'Execute' }).click();
    await chat.locator('.live-responses-table .response-col_status', { hasText: '200' }).waitFor();
    expect(await chat.locator('.live-responses-table').textContent()).toContain('chat.completion');
    if (pictures !== undefined) await page.screenshot({ path: `${pictures}/reference-chat.png`, fullPage: false });
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('the page follows the colour scheme of the browser', async () => {
    const page = await browser.newPage({ colorScheme: 'dark' });
    await page.goto(`${running.baseUrl}/docs`);
    const background = () => page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor');
    expect(await background()).toMatch(/^rgb\(\d\d, \d\d, \d\d\)$/);
    await page.emulateMedia({ colorScheme: 'light' });
    await expect.poll(background).toBe('rgba(0, 0, 0, 0)');
    await page.close();
  });

  /** Collects errors of a page and its requests to other hosts. */
  function watch(page: Page): string[] {
    const complaints: string[] = [];
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => {
      if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(running.baseUrl))
        complaints.push(request.url());
    });
    return complaints;
  }
});
