import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Gateway, startGateway } from '../gateway/in-process.ts';
import { startChromium } from '../support/chromium.ts';
import { complaints, schemes, takePicture } from '../support/pages.ts';

// Long: it walks through many pages in a browser.
// About: packages/sandbox/src.

/** The page of `npm start` that breaks and heals the simulated providers, and asks the gateway. */
let gateway: Gateway;
let browser: Browser;
let page: Page;
beforeAll(async () => {
  [gateway, browser] = await Promise.all([startGateway(), startChromium()]);
});
afterEach(async () => {
  await page?.close();
  await fetch(`${gateway.sandboxUrl}/control/faults`, { method: 'DELETE' });
});
afterAll(async () => {
  await browser?.close();
  await gateway?.stop();
});

const address = () => `${gateway.sandboxUrl}/control`;
const keyField = () => page.getByLabel('API key');
const actionsOf = (provider: string) => page.getByRole('group', { name: `Break or heal ${provider}` });
const stateOf = (provider: string) => page.locator(`[data-live="${provider}-state"]`).textContent();

async function open(link = address()): Promise<void> {
  page = await browser.newPage({ viewport: { width: 1_440, height: 900 }, bypassCSP: true });
  await page.goto(link);
}

/** Asks the gateway, and returns the sentence about who answered. */
async function ask(): Promise<string> {
  await page.getByRole('button', { name: 'Ask the gateway' }).click();
  const sentence = page.locator('.ask:not([aria-busy]) output strong');
  return (await sentence.textContent()) ?? '';
}

test('takes the key from the link of the welcome text, and out of the address', async () => {
  const link = `${gateway.sandboxUrl}/control#key=${gateway.apiKey}`;
  await open(link);
  expect([await keyField().inputValue(), page.url()]).toEqual([gateway.apiKey, address()]);
  await page.goto(`${address()}#key=sk-other`);
  await expect.poll(() => keyField().inputValue()).toBe('sk-other');
  expect(page.url()).toBe(address());
});

test('shows the failover and keeps the key, without loading the page anew', async () => {
  await open();
  let loads = 0;
  page.on('load', () => (loads += 1));
  await keyField().fill(gateway.apiKey);
  expect(await ask()).toMatch(/^Answered by sandbox-\w\.$/);

  const button = actionsOf('sandbox-a').getByRole('button', { name: 'Fails (503)' });
  await button.click();
  await expect.poll(() => stateOf('sandbox-a')).toBe('broken: status:503');
  expect(await button.evaluate((element) => element.matches(':focus'))).toBe(true);
  expect(await ask()).toBe('Answered by sandbox-b after sandbox-a failed.');
  const attempts = /^sandbox-a: 503 after \d+ ms, then sandbox-b: 200 after \d+ ms\.$/;
  expect(await page.locator('.ask output span').textContent()).toMatch(attempts);
  await takePicture(page, 'control-page');

  await actionsOf('sandbox-a').getByRole('button', { name: 'Heal' }).click();
  await expect.poll(() => stateOf('sandbox-a')).toBe('healthy');
  expect([await keyField().inputValue(), loads]).toEqual([gateway.apiKey, 0]);
  await page.reload();
  expect(await keyField().inputValue()).toBe(gateway.apiKey);
});

test('shows the error of the gateway for a wrong key', async () => {
  await open(`${address()}#key=sk-wrong`);
  await page.getByRole('button', { name: 'Ask the gateway' }).click();
  await expect.poll(() => page.locator('.ask output.bad').textContent()).toContain('API key');
});

test('shows what other clients broke, heals all, and keeps the key', async () => {
  await open(`${address()}#key=${gateway.apiKey}`);
  await fetch(`${gateway.sandboxUrl}/control/break`, { method: 'POST', body: new URLSearchParams({ fault: 'hang' }) });
  await expect.poll(() => stateOf('sandbox-c')).toBe('all broken: hang');
  await page.getByRole('button', { name: 'Heal all' }).click();
  await expect.poll(() => stateOf('sandbox-c')).toBe('healthy');
  expect(await keyField().inputValue()).toBe(gateway.apiKey);
});

test('breaks and heals without scripts', async () => {
  page = await browser.newPage({ javaScriptEnabled: false });
  await page.goto(address());
  await actionsOf('sandbox-b').getByRole('button', { name: 'Hangs' }).click();
  expect(await stateOf('sandbox-b')).toBe('broken: hang');
  await actionsOf('sandbox-b').getByRole('button', { name: 'Heal' }).click();
  expect(await stateOf('sandbox-b')).toBe('healthy');
});

test.each(schemes)('has no violations of axe and fits a telephone, in %s colours', async (colorScheme) => {
  await open(`${address()}#key=${gateway.apiKey}`);
  await page.emulateMedia({ colorScheme });
  await ask();
  expect(await complaints(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  expect(await complaints(page)).toEqual([]);
  await takePicture(page, `control-page-phone`);
});
