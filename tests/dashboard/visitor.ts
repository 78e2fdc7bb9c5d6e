import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { email, password } from '../oauth/gateway.ts';

export interface Visitor {
  page: Page;
  /** Opens a page of the default account and returns its status. */
  go(path: string): Promise<number>;
  fill(fields: Readonly<Record<string, string>>): Promise<void>;
  /** Fills fields below the frame by their whole labels, which may be part of other labels. */
  fillExactly(fields: Readonly<Record<string, string>>): Promise<void>;
  press(button: string): Promise<void>;
  follow(link: string): Promise<void>;
  /** The cells of a table by row, without the column of actions. */
  rows(table: string): Promise<string[][]>;
  /** The title in the page. */
  heading(): Promise<string | null>;
  /** The message after an action. */
  notice(): Promise<string | null>;
  close(): Promise<void>;
}

/** Opens a new browser session, by default without scripts. */
export async function openVisitor(
  browser: Browser,
  baseUrl: string,
  options: BrowserContextOptions = {},
): Promise<Visitor> {
  const context = await browser.newContext({
    javaScriptEnabled: false,
    viewport: { width: 1180, height: 720 },
    reducedMotion: 'reduce',
    ...options,
  });
  const page = await context.newPage();
  return {
    page,
    async go(path) {
      const response = await page.goto(new URL(`/dashboard/default/${path}`, baseUrl).href);
      return response?.status() ?? 0;
    },
    async fill(fields) {
      for (const [label, text] of Object.entries(fields)) await page.getByLabel(label).fill(text);
    },
    async fillExactly(fields) {
      for (const [label, text] of Object.entries(fields))
        await page.getByRole('main').getByLabel(label, { exact: true }).fill(text);
    },
    // The frame of a page may arrive before its content.
    async press(name) {
      await page.getByRole('button', { name, exact: true }).click();
      await page.waitForLoadState();
    },
    async follow(name) {
      await page.getByRole('link', { name, exact: true }).click();
      await page.waitForLoadState();
    },
    async rows(name) {
      const cells = await page
        .getByRole('table', { name })
        .locator('tbody tr')
        .evaluateAll((found) =>
          found.map((row) => [...row.querySelectorAll('td:not(.actions)')].map((cell) => String(cell.innerText))),
        );
      return cells.map((row) => row.map((text) => text.trim().replaceAll(/\s+/g, ' ')));
    },
    heading: () => page.getByRole('heading', { level: 1 }).textContent(),
    notice: () => page.getByRole('status').textContent(),
    close: () => context.close(),
  };
}

/** The first owner, signed in. */
export async function openOwner(browser: Browser, baseUrl: string, options?: BrowserContextOptions): Promise<Visitor> {
  const visitor = await openVisitor(browser, baseUrl, options);
  await visitor.page.goto(`${baseUrl}/dashboard`);
  await visitor.fill({ 'E-mail': email, Password: password });
  await visitor.press('Sign in');
  return visitor;
}
