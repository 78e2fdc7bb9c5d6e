import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type OneProcess, startOneProcess } from '../gateway/one-process.ts';
import { startChromium } from '../support/chromium.ts';

/** The gallery of `npm start`, pressed by a person: three ways to an image, through the gateway, from a page. */
let gateway: OneProcess;
let browser: Browser;
let page: Page;
beforeAll(async () => {
  [gateway, browser] = await Promise.all([startOneProcess(), startChromium()]);
}, 180_000);
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
  await page.getByRole('button', { name: 'Paint' }).click();
}

/** What stands in a card, once nothing is being painted there any more. */
async function cardOf(way: string) {
  const card = page.locator(`[data-way="${way}"]:not([aria-busy])`);
  const caption = card.locator('output', { hasNotText: /^(Not yet\.|Painting …)$/ });
  await caption.waitFor();
  const picture = await card.locator('img').evaluate((image) => ({
    shown: (image as unknown as { hidden: boolean }).hidden === false,
    width: (image as unknown as { naturalWidth: number }).naturalWidth,
    source: (image as unknown as { src: string }).src,
  }));
  return { caption: await caption.textContent(), ...picture };
}

test('the welcome says where it is', () => {
  expect(gateway.output()).toContain(address());
});

test('one prompt becomes an image that is generated, one that is changed and one of a chat', async () => {
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

test('a wrong key is told in the gateway’s words, and nothing is shown', async () => {
  await paint('sk-wrong');
  const cards = await Promise.all(['generate', 'chat'].map(cardOf));
  const card = { caption: expect.stringContaining('API key'), shown: false, width: 0, source: '' };
  expect(cards).toEqual([card, card]);
});
