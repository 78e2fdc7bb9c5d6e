import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page, ViewportSize } from 'playwright-core';
import { neutralEnvironment } from '../../scripts/distributed/settings.ts';
import { type OneProcess, startOneProcess } from '../gateway/one-process.ts';
import { startChromium } from '../support/chromium.ts';
import { runToEnd } from '../support/run-to-end.ts';

// `npm run pictures`: takes the pictures of the dashboard in docs/images/dashboard, with demo data.

const folder = fileURLToPath(new URL('../../docs/images/dashboard', import.meta.url));
const owner = { email: 'ada@example.com', password: 'correct horse battery' };
const screens = { wide: { width: 1_440, height: 900 }, phone: { width: 390, height: 844 } };
const quality = 80;

const gateway = await startOneProcess({
  BOOTSTRAP_ADMIN_EMAIL: owner.email,
  BOOTSTRAP_ADMIN_PASSWORD: owner.password,
});
const browser = await startChromium();
try {
  await fill(gateway);
  const requestId = await failOver(gateway);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const [name, viewport] of Object.entries(screens)) await takeAll({ name, viewport, requestId });
} finally {
  await browser.close();
  await gateway.stop();
}

async function fill({ directory }: OneProcess): Promise<void> {
  const env = { ...neutralEnvironment(), DATA_DIR: directory };
  await runToEnd(process.execPath, ['services/ledger-svc/src/commands/demo-data.ts'], { env });
}

/** Sends the request of the story in the README: the first provider fails, the second one answers. */
async function failOver({ baseUrl, apiKey, sandboxUrl }: OneProcess): Promise<string> {
  const json = { 'content-type': 'application/json' };
  const fault = JSON.stringify({ provider: 'sandbox-a', fault: 'status:503' });
  await fetch(`${sandboxUrl}/control/faults`, { method: 'POST', headers: json, body: fault });
  const answer = await fetch(`${baseUrl}/v1/chat/completions`, {
    method: 'POST',
    headers: { ...json, authorization: `Bearer ${apiKey}` },
    body: JSON.stringify({ model: 'sandbox-chat', messages: [{ role: 'user', content: 'Hello' }] }),
  });
  if (!answer.ok) throw new Error(`The request of the story got status ${answer.status}.`);
  return answer.headers.get('x-request-id') ?? '';
}

async function takeAll(by: { name: string; viewport: ViewportSize; requestId: string }): Promise<void> {
  const page = await signIn(browser, by.viewport);
  const links = await page
    .locator('#menu ul:not(.switch ul) a')
    .evaluateAll((found) => found.map((link) => String((link as unknown as { href: string }).href)));
  for (const link of links) {
    await page.goto(link);
    await take(page, `${link.split('/').at(-1)}-${by.name}`);
  }
  await page.goto(`${gateway.baseUrl}/dashboard/default/requests?id=${by.requestId}`);
  await page.locator('td a[href*="/requests/"]').first().click();
  await page.waitForLoadState();
  await take(page, `request-${by.name}`);
  await page.context().close();
}

async function signIn(from: Browser, viewport: ViewportSize): Promise<Page> {
  const context = await from.newContext({ viewport, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(`${gateway.baseUrl}/dashboard`);
  await page.getByLabel('E-mail').fill(owner.email);
  await page.getByLabel('Password').fill(owner.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('main').waitFor();
  return page;
}

/** WebP is a third of the size of PNG. Chromium refuses to take a page that it has not painted yet. */
async function take(page: Page, name: string): Promise<void> {
  await page.evaluate('new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)))');
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality });
  await session.detach();
  await writeFile(join(folder, `${name}.webp`), data, 'base64');
}
