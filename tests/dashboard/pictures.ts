import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { neutralEnvironment } from '../../scripts/distributed/settings.ts';
import { type OneProcess, startOneProcess } from '../gateway/one-process.ts';
import { startChromium } from '../support/chromium.ts';
import { runToEnd } from '../support/run-to-end.ts';

// `npm run pictures`: takes the pictures of the dashboard in docs/images/dashboard, with demo data and some examples, in
// two widths and two colour schemes.

const folder = fileURLToPath(new URL('../../docs/images/dashboard', import.meta.url));
const owner = { email: 'ada@example.com', password: 'correct horse battery' };
const wide = { width: 1_440, height: 900 };
const phone = { width: 390, height: 844 };
const looks = [
  { suffix: 'wide', viewport: wide, colorScheme: 'light' },
  { suffix: 'wide-dark', viewport: wide, colorScheme: 'dark' },
  { suffix: 'phone', viewport: phone, colorScheme: 'light' },
  { suffix: 'phone-dark', viewport: phone, colorScheme: 'dark' },
] as const;
/** What screens show that the demo data leaves empty: a form, its button and its fields. */
const examples: readonly (readonly [path: string, button: string, fields: Readonly<Record<string, string>>])[] = [
  ['projects/new', 'Create the project', { Name: 'support' }],
  [
    'routes/new',
    'Add the route',
    {
      Name: 'fast',
      Description: 'what the support bot uses',
      Targets: 'sandbox-chat 90\nsandbox-fast 10',
      Conditions: 'sandbox-reasoner if request.tokens > 100000',
    },
  ],
  ['mcp-servers/new', 'Add the server', { Name: 'docs', URL: 'https://docs.example/mcp' }],
  ['provider-keys/new', 'Add the key', { Provider: 'mistral', Label: 'research', Key: 'a-key-of-research-1234' }],
  ['alerts/new/budget', 'Create the alert', { Name: 'spend', Webhook: 'https://pager.example/' }],
];
/** Pages that a row of a list leads to, by the list. */
const pagesOfRows: Readonly<Record<string, string>> = { keys: 'key', models: 'model', providers: 'provider' };
/** What a screen is asked for, so that it is not an empty form. */
const queries: Readonly<Record<string, string>> = {
  routing: '?model=sandbox-chat',
  playground: '?models=sandbox-chat,sandbox-fast',
};
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
  await addExamples();
  for (const look of looks) await takeAll(look, requestId);
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

async function addExamples(): Promise<void> {
  const page = await signIn(browser, { viewport: wide, colorScheme: 'light' });
  for (const [path, button, fields] of examples) {
    await page.goto(`${gateway.baseUrl}/dashboard/default/${path}`);
    for (const [label, text] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(text);
    await page.getByRole('button', { name: button, exact: true }).click();
    await page.getByRole('status').waitFor();
  }
  await page.context().close();
}

async function takeAll({ suffix, ...look }: (typeof looks)[number], requestId: string): Promise<void> {
  const page = await signIn(browser, look);
  const links = await page
    .locator('#menu ul:not(.switch ul) a')
    .evaluateAll((found) => found.map((link) => String((link as unknown as { href: string }).href)));
  for (const link of links) {
    const name = link.split('/').at(-1) ?? '';
    await page.goto(link + (queries[name] ?? ''));
    await take(page, `${name}-${suffix}`);
    const pageOfRow = pagesOfRows[name];
    if (pageOfRow !== undefined) await takeFirst(page, `/${name}/`, `${pageOfRow}-${suffix}`);
  }
  await page.goto(`${gateway.baseUrl}/dashboard/default/requests?id=${requestId}`);
  await takeFirst(page, '/requests/', `request-${suffix}`);
  await page.context().close();
}

/** Takes the page that the first row of a list leads to. */
async function takeFirst(page: Page, path: string, name: string): Promise<void> {
  await page.locator(`td a[href*="${path}"]`).first().click();
  await page.waitForLoadState();
  await take(page, name);
}

async function signIn(from: Browser, look: Pick<(typeof looks)[number], 'viewport' | 'colorScheme'>): Promise<Page> {
  const context = await from.newContext({ ...look, reducedMotion: 'reduce' });
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
