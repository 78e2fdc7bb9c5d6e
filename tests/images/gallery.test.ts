import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Gateway, startGateway } from '../gateway/in-process.ts';
import { startChromium } from '../support/chromium.ts';

/** The gallery page of `npm start`, which makes images through the gateway in three ways. */
let gateway: Gateway;
let browser: Browser;
let page: Page;
beforeAll(async () => {
  [gateway, browser] = await Promise.all([startGateway(), startChromium()]);
});
afterEach(() => page?.close());
afterAll(async () => {
  await browser?.close();
  await gateway?.stop();
});

const address = () => `${gateway.sandboxUrl}/control/gallery`;

async function paint(key: string): Promise<void> {
  page = await browser.newPage({ viewport: { width: 1200, height: 640 } });
  await page.goto(address());
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Generate' }).click();
}

/** The content of a card, after its request has finished. */
async function cardOf(way: string) {
  const card = page.locator(`[data-way="${way}"]:not([aria-busy])`);
  const caption = card.locator('output', { hasNotText: /^(Not yet\.|Generating …)$/ });
  await caption.waitFor();
  const picture = await card.locator('img').evaluate((image) => ({
    shown: (image as unknown as { hidden: boolean }).hidden === false,
    width: (image as unknown as { naturalWidth: number }).naturalWidth,
    source: (image as unknown as { src: string }).src,
  }));
  return { caption: await caption.textContent(), ...picture };
}

test('the welcome text has a link to it, which brings the key', async () => {
  const link = `${gateway.sandboxUrl}/control/gallery#key=${gateway.apiKey}`;
  page = await browser.newPage();
  await page.goto(link);
  await expect.poll(() => page.getByLabel('API key').inputValue()).toBe(gateway.apiKey);
  expect(page.url()).toBe(address());
});

test('makes a generated, an edited and a chat image from one prompt', async () => {
  await paint(gateway.apiKey);
  const cards = await Promise.all(['generate', 'edit', 'chat'].map(cardOf));
  const card = {
    caption: expect.stringMatching(/^sandbox-\w · \d+ ms$/),
    shown: true,
    width: expect.any(Number),
    source: expect.stringMatching(/^data:image\/png;base64,iVBORw0KGgo/),
  };
  expect(cards).toEqual([card, card, card]);
  expect(cards.map(({ width }) => width).every((width) => width >= 768)).toBe(true);
  expect(cards[1]?.source).not.toBe(cards[0]?.source);
});

test('shows the gateway’s error for a wrong key, and no image', async () => {
  await paint('sk-wrong');
  const cards = await Promise.all(['generate', 'chat'].map(cardOf));
  const card = { caption: expect.stringContaining('API key'), shown: false, width: 0, source: '' };
  expect(cards).toEqual([card, card]);
});

test('never puts the key into an address, also without scripts', async () => {
  page = await browser.newPage({ javaScriptEnabled: false });
  await page.goto(address());
  await page.getByLabel('API key').fill('sk-typed-here');
  await page.getByLabel('API key').press('Enter');
  await page.getByRole('button', { name: 'Generate' }).click();
  expect(page.url()).toBe(address());
});
