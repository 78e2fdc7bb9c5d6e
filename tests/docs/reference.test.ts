import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Gateway, startGateway } from '../gateway/in-process.ts';
import { startChromium } from '../support/chromium.ts';
import { takePicture } from '../support/pages.ts';

const run = promisify(execFile);

describe('the reference', () => {
  let running: Gateway;
  let browser: Browser;
  beforeAll(async () => {
    [running, browser] = await Promise.all([startGateway(), startChromium()]);
  });
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
      title: 'Tallyport',
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
    const missing = ['/docs/package.json', '/docs/..%2fopenapi.json', '/docs/chat/more', '/docs/reference.ts'];
    for (const path of missing) expect([path, (await fetch(running.baseUrl + path)).status]).toEqual([path, 404]);
    const page = await fetch(`${running.baseUrl}/docs`, { method: 'HEAD' });
    expect([page.status, await page.text()]).toEqual([200, '']);
    expect(page.headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'; " +
        "connect-src 'self'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    );
  });

  test('without scripts, a search leads to an operation, and its curl example is answered', async () => {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, javaScriptEnabled: false });
    const requests = watch(page);
    await page.goto(`${running.baseUrl}/docs`);
    await takePicture(page, 'reference');
    await page.getByRole('searchbox', { name: 'Search the API' }).fill('completes chat');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('main').getByRole('link', { name: '/v1/chat/completions' }).click();
    expect(page.url()).toBe(`${running.baseUrl}/docs/chat#createChatCompletion`);
    await takePicture(page, 'reference-chat');
    const curl = page.getByRole('region', { name: 'curl: createChatCompletion' });
    const { stdout } = await run('bash', ['-c', `${await curl.textContent()} --silent`], {
      env: { ...process.env, TALLYPORT_API_KEY: running.apiKey },
    });
    expect(JSON.parse(stdout)).toMatchObject({ object: 'chat.completion', model: expect.any(String) });
    expect(requests).toEqual([]);
    await page.close();
  });

  test('with scripts, Ctrl-K leads to an operation, and code is copied', async () => {
    const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
    const page = await context.newPage();
    const requests = watch(page);
    await page.goto(`${running.baseUrl}/docs`);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Jump to' }).fill('createKey');
    await page.getByRole('option', { name: 'POST /api/v1/keys' }).click();
    await page.waitForURL('**/docs/manage-keys#createKey');
    await page.getByRole('button', { name: 'Copy: curl: createKey' }).click();
    await page.getByRole('button', { name: 'Copy: curl: createKey' }).getByText('Copied').waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).toContain(`curl ${running.baseUrl}/api/v1/keys`);
    expect(requests).toEqual([]);
    await context.close();
  });

  /** Collects errors of a page and its requests to other hosts. */
  function watch(page: Page): string[] {
    const found: string[] = [];
    page.on('console', (message) => message.type() === 'error' && found.push(message.text()));
    page.on('pageerror', (error) => found.push(error.message));
    page.on('request', (request) => {
      if (!request.url().startsWith(running.baseUrl)) found.push(request.url());
    });
    return found;
  }
});
